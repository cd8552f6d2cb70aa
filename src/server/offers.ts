/**
 * What a server offers: its tools, resources, templates and prompts, their lists for the wire, and what there being some
 * makes it declare. Finding a feature is here, using it is not.
 */

import type { JsonObject } from '../base/json.ts'
import { hasTraversal } from '../formats/uri-template.ts'
import { isUri } from '../formats/uri.ts'
import type { ServerIdentity } from '../protocol/dialect.ts'
import type { ServerCapabilities } from '../protocol/types/common.ts'
import type { Resource } from '../protocol/types/resources.ts'
import type { Tool } from '../protocol/types/tools.ts'
import type { FeatureOptions, RequestFacts } from '../tools/context.ts'
import type { ToolDefinition } from '../tools/define.ts'
import type { PromptDefinition } from '../tools/prompt.ts'
import type { ResourceDefinition } from '../tools/resource.ts'
import type { TemplateDefinition, TemplateVariables } from '../tools/template.ts'
import { Features } from './features.ts'
import { isVisible, PagedList, type ListOf } from './list.ts'
import type { ServerSettings } from './options.ts'

/** A kind of list whose changes are told. Templates belong to the resources. */
export type ListKind = 'tools' | 'resources' | 'prompts'

/** What a URI leads to. */
export type FoundResource =
  | { readonly kind: 'resource'; readonly definition: ResourceDefinition }
  | {
      readonly kind: 'template'
      readonly definition: TemplateDefinition
      readonly variables: TemplateVariables
    }

/** What `resources/list` needs of a resource, registered or told by a template. */
interface ListedResource extends FeatureOptions {
  readonly resource: Resource
}

export interface OffersOptions {
  readonly settings: ServerSettings
  readonly self: () => ServerIdentity
  /** Called after each change. `declaredMore` says whether `capabilities` are others than before. */
  readonly changed: (kind: ListKind, declaredMore: boolean) => void
}

/** Most resources that one template may add to the list. */
const MAX_LISTED = 100_000

export class Offers {
  readonly tools: Features<ToolDefinition>
  readonly resources: Features<ResourceDefinition>
  readonly templates: Features<TemplateDefinition>
  readonly prompts: Features<PromptDefinition>
  readonly toolList: PagedList<ToolDefinition>
  readonly resourceList: PagedList<ListedResource>
  readonly templateList: PagedList<TemplateDefinition>
  readonly promptList: PagedList<PromptDefinition>
  readonly #options: OffersOptions
  /** What was there once stays declared: a client may have been told so. */
  readonly #declared = new Set<ListKind | 'completions'>()

  constructor(options: OffersOptions) {
    this.#options = options
    this.tools = this.#features('tool', nameOfTool, 'tools')
    this.resources = this.#features<ResourceDefinition>('resource', uriOf, 'resources')
    this.templates = this.#features('template', textOf, 'resources')
    this.prompts = this.#features('prompt', nameOfPrompt, 'prompts')
    const { cache } = options.settings
    this.toolList = this.#list('tools/list', {
      member: 'tools',
      nameOf: nameOfTool,
      items: () => this.tools,
      told: (one) => json(toldTool(one, options.settings.keepsTasks)),
      cache: cache.tools,
    })
    this.resourceList = this.#list('resources/list', {
      member: 'resources',
      nameOf: uriOf,
      items: () => this.resources,
      told: (one) => json(one.resource),
      cache: cache.resources,
      more: () => this.#listing(),
    })
    this.templateList = this.#list('resources/templates/list', {
      member: 'resourceTemplates',
      nameOf: textOf,
      items: () => this.templates,
      told: (one) => json(one.template),
      cache: cache.templates,
    })
    this.promptList = this.#list('prompts/list', {
      member: 'prompts',
      nameOf: nameOfPrompt,
      items: () => this.prompts,
      told: (one) => json(one.prompt),
      cache: cache.prompts,
    })
  }

  /** Says that there may be some of a kind, though there are none yet. // TOOL-02 */
  declare(kind: ListKind): void {
    this.#declared.add(kind)
  }

  /** What is declared because of what is offered. // TOOL-01, RES-01, PRMT-01, COMP-01 */
  capabilities(): ServerCapabilities {
    const declared = this.#declared
    return {
      ...(declared.has('tools') ? { tools: { listChanged: true } } : {}),
      ...(declared.has('resources') ? { resources: { subscribe: true, listChanged: true } } : {}),
      ...(declared.has('prompts') ? { prompts: { listChanged: true } } : {}),
      ...(declared.has('completions') ? { completions: {} } : {}),
    }
  }

  /** What a URI leads to for this caller: resources first, then the templates in their order. // RES-08 */
  find(uri: string, facts: RequestFacts): FoundResource | undefined {
    const definition = this.resources.get(uri)
    if (definition !== undefined) {
      return isVisible(definition, facts) ? { kind: 'resource', definition } : undefined
    }
    const climbs = hasTraversal(uri)
    for (const template of this.templates) {
      if (climbs && !template.dotSegments) continue
      const variables = template.match(uri)
      if (variables === undefined || !isVisible(template, facts)) continue
      const way = Object.values(variables).flat()
      if (!template.dotSegments && way.some(hasTraversal)) continue
      return { kind: 'template', definition: template, variables }
    }
    return undefined
  }

  /** Whether a caller may be told of what happens at a URI; one that nothing is known of is nobody's secret. */
  mayHear(uri: string, facts: RequestFacts): boolean {
    const definition = this.resources.get(uri)
    if (definition !== undefined) return isVisible(definition, facts)
    const matching = [...this.templates].filter((template) => template.match(uri) !== undefined)
    return matching.length === 0 || matching.some((template) => isVisible(template, facts))
  }

  #features<Feature>(
    what: string,
    nameOf: (feature: Feature) => string,
    kind: ListKind,
  ): Features<Feature> {
    return new Features(what, nameOf, () => this.#changed(kind))
  }

  #list<Item extends FeatureOptions>(
    method: string,
    list: Omit<ListOf<Item>, 'method' | 'pageSize'>,
  ): PagedList<Item> {
    const { settings, self } = this.#options
    return new PagedList({ method, pageSize: settings.pageSize, ...list }, self)
  }

  #changed(kind: ListKind): void {
    const before = this.#declared.size
    this.#declared.add(kind)
    if (this.#completes()) this.#declared.add('completions')
    if (kind === 'tools') this.toolList.forget()
    else if (kind === 'prompts') this.promptList.forget()
    else {
      this.resourceList.forget()
      this.templateList.forget()
    }
    this.#options.changed(kind, this.#declared.size > before)
  }

  #completes(): boolean {
    if (this.#declared.has('completions')) return true
    const all: readonly { readonly complete: ReadonlyMap<string, unknown> }[] = [
      ...this.prompts,
      ...this.templates,
    ]
    return all.some(({ complete }) => complete.size > 0)
  }

  /** The resources that templates tell by themselves, if some do. */
  #listing(): ((facts: RequestFacts) => Promise<Iterable<ListedResource>>) | undefined {
    const telling = [...this.templates].filter((template) => template.list !== undefined)
    if (telling.length === 0) return undefined
    return async (facts) => {
      const visible = telling.filter((template) => isVisible(template, facts))
      const lists = await Promise.all(visible.map((template) => this.#listed(template, facts)))
      return lists.flat()
    }
  }

  async #listed(
    template: TemplateDefinition,
    facts: RequestFacts,
  ): Promise<readonly ListedResource[]> {
    const { logger } = this.#options.settings
    const listed: ListedResource[] = []
    for (const resource of (await template.list?.(facts)) ?? []) {
      if (listed.length >= MAX_LISTED) {
        logger.warn('a template lists too many resources: the rest is left out', {
          template: template.template.uriTemplate,
          limit: MAX_LISTED,
        })
        break
      }
      if (isUri(resource.uri)) listed.push({ resource })
      else logger.warn('a template lists what is no URI', { uri: resource.uri.slice(0, 256) })
    }
    return listed
  }
}

function nameOfTool({ tool }: ToolDefinition): string {
  return tool.name
}

function uriOf({ resource }: ListedResource): string {
  return resource.uri
}

function textOf({ template }: TemplateDefinition): string {
  return template.uriTemplate
}

function nameOfPrompt({ prompt }: PromptDefinition): string {
  return prompt.name
}

/** Lists hold JSON values only, by the types of what is listed. */
function json(told: object): JsonObject {
  return told as JsonObject
}

/** What a client hears of a tool: how it relates to tasks only where there are some. // TOOL-26, TASK-03 */
function toldTool({ tool, task }: ToolDefinition, keepsTasks: boolean): Tool {
  return task === undefined || !keepsTasks
    ? tool
    : { ...tool, execution: { taskSupport: task.support } }
}
