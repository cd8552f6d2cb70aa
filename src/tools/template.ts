/**
 * A template of resources as a plain value: what lists say of it, the URIs that it covers, and the code that reads them.
 *
 * The server asks the templates in their order when a URI is none of a resource of its own.
 */

import { UsageError } from '../base/errors.ts'
import { parseTemplate, type UriTemplate } from '../formats/uri-template.ts'
import type { Resource, ResourceTemplate } from '../protocol/types/resources.ts'
import type {
  CacheHint,
  Completer,
  FeatureOptions,
  RequestContext,
  RequestFacts,
} from './context.ts'
import { cacheOf, describe, visibility } from './feature.ts'
import type { ResourceMembers, ResourceReply } from './resource.ts'

/** Values of a template's variables, taken out of a URI and decoded; a list where the template explodes it. Peer values. */
export interface TemplateVariables {
  readonly [variable: string]: string | readonly string[]
}

export interface TemplateOptions extends ResourceMembers {
  /** RFC 6570, e.g. `file:///{+path}` or `notes://{year}/{id}`. // RES-04 */
  readonly uriTemplate: string
  /** Suggestions for the values of single variables. */
  readonly complete?: { readonly [variable: string]: Completer }
  /** Resources of this template that should be in `resources/list`. Called for every page of it. */
  list?(facts: RequestFacts): Iterable<Resource> | Promise<Iterable<Resource>>
  /**
   * URIs with a path segment `.` or `..`, in any spelling, reach no template. True lets them through, for templates whose
   * values are no paths. Default false. // RES-08
   */
  readonly dotSegments?: boolean
  /** `variables` are what the caller wrote: check them before they become a path, a query or a command. */
  read(
    uri: string,
    variables: TemplateVariables,
    context: RequestContext,
  ): ResourceReply | Promise<ResourceReply>
}

/** A template, ready to be served. Made by `defineTemplate`. */
export interface TemplateDefinition extends FeatureOptions {
  /** What `resources/templates/list` says of it. */
  readonly template: ResourceTemplate
  readonly cache: CacheHint
  readonly dotSegments: boolean
  /** Names of its variables, each once. */
  readonly variables: readonly string[]
  readonly complete: ReadonlyMap<string, Completer>
  list?(facts: RequestFacts): Iterable<Resource> | Promise<Iterable<Resource>>
  /** The variables of a URI that fits, or undefined. */
  match(uri: string): TemplateVariables | undefined
  read(
    uri: string,
    variables: TemplateVariables,
    context: RequestContext,
  ): ResourceReply | Promise<ResourceReply>
}

/** Makes a template. Throws `UsageError` for what is no RFC 6570 template, or completes a variable that it has not. */
export function defineTemplate(options: TemplateOptions): TemplateDefinition {
  const { uriTemplate } = options
  const parsed = parsedTemplate(uriTemplate)
  const what = `template ${uriTemplate}`
  const complete = new Map(Object.entries(options.complete ?? {}))
  for (const name of complete.keys()) {
    if (!parsed.variables.includes(name))
      throw new UsageError(`The ${what} has no variable ${JSON.stringify(name)} to complete.`)
  }
  return {
    template: { uriTemplate, ...describe(options, what) },
    cache: cacheOf(options, what),
    dotSegments: options.dotSegments === true,
    variables: parsed.variables,
    complete,
    ...visibility(options),
    ...(options.list === undefined ? {} : { list: options.list.bind(options) }),
    match: (uri) => parsed.match(uri),
    read: (uri, variables, context) => options.read(uri, variables, context),
  }
}

function parsedTemplate(text: string): UriTemplate {
  try {
    return parseTemplate(text)
  } catch (cause) {
    throw new UsageError(`${JSON.stringify(text)} is no URI template by RFC 6570.`, { cause })
  }
}
