/**
 * Reading a resource as an act of its server: judged, pinned, asked about and sealed like a call of a tool that is named
 * `resources/read` there. Models have one tool for it, `read_resource`, whatever the number of servers.
 *
 * Which servers can be read from is the catalogue's to say, and whether one may be is not decided here.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import { MAX_URI } from '../formats/uri.ts'
import type { ReadResourceResult } from '../protocol/types/resources.ts'
import type { CallToolResult, ContentBlock, Tool } from '../protocol/types/tools.ts'
import { aliasOf, type Sha256 } from '../tools/names.ts'
import type { Offered } from './pinning.ts'

/**
 * What reading is called among the tools of a server, in rules, lock files, questions and records. A tool of a server that is
 * called so is left out: it could not be told from reading.
 */
export const RESOURCES_READ = 'resources/read'

/** The name of the model's tool. A native tool: no server can take it. */
export const READ_RESOURCE = 'read_resource'

/**
 * Reading, as it is pinned. The standard says that it changes nothing; a URI may lead anywhere and carry anything there. Without
 * words, so that no later wording makes another definition of it.
 */
export const READING: Tool = {
  name: RESOURCES_READ,
  inputSchema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
  annotations: { readOnlyHint: true, openWorldHint: true },
}

/** What is offered to a model. */
export const READ_RESOURCE_TOOL: Tool & { readonly inputSchema: JsonObject } = {
  name: READ_RESOURCE,
  description:
    'Reads a resource of a server, as one that a result links to. Resources are never fetched unless they are read with this tool.',
  inputSchema: {
    type: 'object',
    properties: {
      server: {
        type: 'string',
        description: 'The server that has it, as it stands with the link.',
      },
      uri: { type: 'string', description: 'The URI, exactly as it was given.' },
    },
    required: ['server', 'uri'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
}

/** The name by which a model asks for an act of a server. */
export function modelNameOf(server: string, tool: string, sha256: Sha256): string {
  return tool === RESOURCES_READ ? READ_RESOURCE : aliasOf(server, tool, sha256)
}

/** What reading from a server is called as a source of what a conversation has read: as no tool of any server can be. */
export function readingName(server: string): string {
  return `${server}__${RESOURCES_READ}`
}

/** The server of such a name; undefined for any other name. */
export function serverOfReading(name: string): string | undefined {
  const end = `__${RESOURCES_READ}`
  return name.endsWith(end) ? name.slice(0, -end.length) : undefined
}

/** What is pinned of an offer: reading where there are resources, and no tool that could be taken for it. */
export function withReading({
  tools,
  instructions,
  resources,
}: Offered & { readonly resources: boolean }): Offered {
  const own = tools.some(({ name }) => name === RESOURCES_READ)
    ? tools.filter(({ name }) => name !== RESOURCES_READ)
    : tools
  return { tools: resources ? [...own, READING] : own, instructions }
}

/** What a request makes its server do, as it is judged. */
export interface RequestedAct {
  readonly method: string
  /** As it came. */
  readonly tool: unknown
  /** As they came: those of the tool, or the URI alone. */
  readonly args: unknown
}

/** The act that a request stands for; undefined for one that needs no permit. */
export function actOf({
  method,
  params,
}: {
  readonly method?: unknown
  readonly params?: unknown
}): RequestedAct | undefined {
  const given = isJsonObject(params) ? params : {}
  if (method === 'tools/call') return { method, tool: given['name'], args: given['arguments'] }
  if (method === RESOURCES_READ) return { method, tool: method, args: { uri: given['uri'] } }
  return undefined
}

/** Each item as the block that a tool would have embedded it in. // RES-03 */
export function asToolResult({ contents }: ReadResourceResult): CallToolResult {
  return { content: contents.map((resource): ContentBlock => ({ type: 'resource', resource })) }
}

/** What no URI has, and servers, logs and terminals read in ways of their own: controls, line ends, half of a pair. */
const NO_URI = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** What is wrong with the arguments of reading, in words behind their subject; undefined when one text is given that can be a URI. */
export function readingFault(args: JsonObject): string | undefined {
  const { uri, ...more } = args
  if (typeof uri !== 'string' || uri === '' || Object.keys(more).length > 0)
    return 'must be one text, "uri"'
  if (uri.length > MAX_URI) return `are longer than a URI of ${MAX_URI} characters`
  return NO_URI.test(uri) ? 'hold characters that stand in no URI' : undefined
}

/** The two arguments of the model's tool; undefined where they are not what its schema says. */
export function readWish(
  args: unknown,
): { readonly server: string; readonly uri: string } | undefined {
  if (!isJsonObject(args)) return undefined
  const { server, uri } = args
  return typeof server === 'string' && typeof uri === 'string' ? { server, uri } : undefined
}
