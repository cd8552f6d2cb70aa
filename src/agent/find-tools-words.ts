/**
 * What a model is told of tools that it looked for: a line and a signature each, a whole definition, or what servers there are.
 * Texts of definitions are cleaned by the host already.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { HostTool, ServerInstructions } from '../host/host-tool.ts'
import { CALL_TOOL, GET_TOOL, SEARCH_TOOLS } from './find-tools-offer.ts'
import type { FoundTools } from './tool-index.ts'

/** Most characters of the line about a tool or a server. */
const MAX_LINE = 200
/** Most parameters that a signature names; optional ones come last and are left out first. */
const MAX_PARAMETERS = 12
/** Most characters of an enumeration in a signature. */
const MAX_CHOICES = 60
/** Most servers that are told. */
const MAX_SERVERS = 100

export function foundWords(
  { tools, count }: FoundTools,
  { query, all }: { readonly query: string; readonly all: number },
): string {
  const quoted = JSON.stringify(query.slice(0, MAX_LINE))
  if (tools.length === 0) {
    return `None of ${all} tools fits ${quoted}. Try other words, or ${SEARCH_TOOLS} without a query to see what servers there are.`
  }
  const lead =
    count > tools.length
      ? `The best ${tools.length} of ${count} that fit ${quoted}, out of ${all}:`
      : `${count} of ${all} tools ${count === 1 ? 'fits' : 'fit'} ${quoted}:`
  return [
    lead,
    ...tools.map(toolLines),
    `Call one with ${CALL_TOOL}; ${GET_TOOL} has its whole schema.`,
  ].join('\n')
}

/** By server, in the order of the list. */
export function serverWords(
  tools: readonly HostTool[],
  instructions: readonly ServerInstructions[],
): string {
  const counts = new Map<string, number>()
  for (const { server } of tools)
    if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1)
  if (counts.size === 0) return 'No server has tools now.'
  const lines = [...counts].slice(0, MAX_SERVERS).map(([server, count]) => {
    const said = instructions.find((one) => one.server === server)?.text ?? ''
    const about = said.trim() === '' ? '' : `: ${oneLine(said)}`
    return `- ${server} (${count} ${count === 1 ? 'tool' : 'tools'})${about}`
  })
  const more = counts.size - lines.length
  if (more > 0) lines.push(`and ${more} more servers`)
  return [...lines, `Look for tools with ${SEARCH_TOOLS} and a query.`].join('\n')
}

/** As JSON: what the model would have been given with its request, and more. Hints only where they may be believed. */
export function definitionWords(tool: HostTool): string {
  const { alias, server, title, description, inputSchema, outputSchema, hints, trusted } = tool
  return JSON.stringify({
    name: alias,
    ...(server !== undefined && { server }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(trusted && { readOnly: hints.readOnly, destructive: hints.destructive }), // TOOL-18
  })
}

function toolLines(tool: HostTool): string {
  const { alias, title = '', description = '', inputSchema } = tool
  const about = oneLine(description.trim() === '' ? title : description)
  return `- ${alias}(${signatureOf(inputSchema)})${about === '' ? '' : `\n  ${about}`}`
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_LINE * 4)
    .trim()
    .replace(/\s+/g, ' ')
  return line.length <= MAX_LINE
    ? line
    : `${line.slice(0, MAX_LINE).replace(/[\ud800-\udbff]$/, '')}…`
}

/** `path: string, head?: number`. */
function signatureOf({ properties, required }: JsonObject): string {
  if (!isJsonObject(properties)) return ''
  const needed = new Set(Array.isArray(required) ? required : [])
  const names = Object.keys(properties)
  const ordered = [
    ...names.filter((name) => needed.has(name)),
    ...names.filter((name) => !needed.has(name)),
  ]
  const shown = ordered.slice(0, MAX_PARAMETERS).map((name) => {
    const type = typeOf(properties[name])
    return `${name.slice(0, 64)}${needed.has(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`
  })
  return (ordered.length > shown.length ? [...shown, '…'] : shown).join(', ')
}

function typeOf(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return ''
  const { enum: choices, type, items } = schema
  if (Array.isArray(choices)) {
    const words = choices
      .slice(0, MAX_PARAMETERS)
      .map((choice) => JSON.stringify(choice))
      .join('|')
    if (words.length <= MAX_CHOICES && choices.length <= MAX_PARAMETERS) return words
  }
  if (type === 'array') {
    const inner = isJsonObject(items) && typeof items['type'] === 'string' ? items['type'] : ''
    return inner === '' ? 'array' : `${inner.slice(0, 20)}[]`
  }
  if (typeof type === 'string') return type.slice(0, 20)
  return Array.isArray(type)
    ? type
        .filter((one) => typeof one === 'string')
        .join('|')
        .slice(0, 40)
    : ''
}
