/** `deep-pilot discover`: what a server says of itself, in either era. */

import type { Command } from 'commander'
import { isJsonObject, type JsonObject } from '../../base/json.ts'
import { cutToWidth, displayWidth, terminalText } from '../../base/terminal-text.ts'
import type { Client } from '../../client/client.ts'
import type { ServerFacts } from '../../protocol/dialect.ts'
import type { Invocation } from '../invocation.ts'
import type { DiscoverWords } from '../messages/messages.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'
import { wrapText } from '../wrap-text.ts'

/** What there is to tell. The handshake of the legacy era names one revision and no others. */
type Facts = ServerFacts & { readonly supportedVersions: readonly string[] | undefined }

/** Longest instructions that are shown, in characters; `--json` has all of them. */
const MAX_INSTRUCTIONS = 4000
/** Columns of a terminal that nobody reads on. */
const MAX_COLUMNS = 120

export function discoverCommand(invocation: Invocation): Command {
  const { messages, output, json } = invocation
  return makeServerCommand(invocation, {
    name: 'discover',
    about: messages.commands.discover,
    declare: (command) => command.argument('[extra...]'),
    examples: [
      'deep-pilot discover -- deep-pilot serve calculator',
      'deep-pilot discover --json --url https://example.com/mcp',
    ],
  }).action(async (stray: readonly string[], options: ServerOptions) => {
    await useServer(invocation, { name: 'discover', stray, options }, async (client) => {
      const facts = await factsOf(client, invocation.signal)
      if (json) return output.json(facts)
      for (const line of factLines(facts, messages.discover, output.columns)) output.line(line)
    })
  })
}

async function factsOf(client: Client, signal: AbortSignal): Promise<Facts> {
  const { server } = client
  if (server.era === 'legacy') return { ...server, supportedVersions: undefined }
  return client.discover({ signal })
}

/** A name and a text a line, the texts below one another. */
export function factLines(
  facts: Facts,
  words: DiscoverWords,
  columns: number | undefined,
): readonly string[] {
  const { info, revision, era, supportedVersions, instructions } = facts
  const rows: readonly (readonly [string, string])[] = [
    [words.server, nameOf(info)],
    [words.website, plain(info?.['websiteUrl'])],
    [words.about, plain(info?.['description'])],
    [words.revision, `${revision} (${era})`],
    [words.revisions, (supportedVersions ?? []).map(plain).join(', ')],
    [words.capabilities, capabilityNames(facts.capabilities).join(', ') || words.none],
    [words.extensions, Object.keys(objectOf(facts.capabilities.extensions)).map(plain).join(', ')],
  ]
  const shown = rows.filter(([, text]) => text !== '')
  const width = Math.max(...shown.map(([name]) => displayWidth(name))) + 2
  const lines = shown.flatMap(([name, text]) => {
    const gap = ' '.repeat(width - displayWidth(name))
    return hanging(`${name}${gap}`, text, columns)
  })
  return [...lines, ...instructionLines(instructions, words, columns)]
}

/** A text behind its name, its further lines below its first one. */
function hanging(head: string, text: string, columns: number | undefined): readonly string[] {
  if (columns === undefined) return [`${head}${text}`]
  const indent = displayWidth(head)
  const room = Math.max(20, Math.min(columns, MAX_COLUMNS) - indent)
  return wrapText(text, room)
    .split('\n')
    .map((line, at) => cutToWidth(`${at === 0 ? head : ' '.repeat(indent)}${line}`, columns))
}

function instructionLines(
  instructions: string | undefined,
  words: DiscoverWords,
  columns: number | undefined,
): readonly string[] {
  if (instructions === undefined || instructions.trim() === '') return []
  const cut = instructions.length > MAX_INSTRUCTIONS
  const text = cut ? instructions.slice(0, MAX_INSTRUCTIONS) : instructions
  const room = Math.min(columns ?? MAX_COLUMNS, MAX_COLUMNS) - 2
  const lines = text
    .trim()
    .split(/\r?\n/)
    .flatMap((line) => wrapText(terminalText(line), room).split('\n'))
    .map((line) => `  ${line}`.trimEnd())
  const rest = cut ? [`  ${words.more(instructions.length - MAX_INSTRUCTIONS)}`] : []
  return [words.instructions, ...lines, ...rest]
}

function nameOf(info: ServerFacts['info']): string {
  if (info === undefined) return ''
  const { name, version, title } = info
  const said = `${plain(name)} ${plain(version)}`.trim()
  return typeof title === 'string' && title !== name && title.trim() !== ''
    ? `${said} (${plain(title)})`
    : said
}

/** `tools (listChanged)`: each capability with those of its options that are on. */
function capabilityNames(capabilities: ServerFacts['capabilities']): readonly string[] {
  return Object.entries(capabilities)
    .filter(([name, value]) => name !== 'extensions' && isJsonObject(value))
    .map(([name, value]) => {
      const on = Object.entries(objectOf(value))
        .filter(([, option]) => option === true || isJsonObject(option))
        .map(([option]) => plain(option))
      return on.length === 0 ? plain(name) : `${plain(name)} (${on.join(', ')})`
    })
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function plain(value: unknown): string {
  return typeof value === 'string' ? terminalText(value) : ''
}
