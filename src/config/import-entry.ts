/** An entry of another host's file as a server to be written into ours: its variables in our spelling, its waits in ours. */

import type { JsonObject, JsonValue } from '../base/json.ts'
import { isJsonObject } from '../base/json.ts'
import type { ServerEntry } from './entry.ts'
import type { NewServer } from './new-server.ts'

/** The server as it is written there, not as it was filled in here: no secret leaves its variable. */
export function serverToWrite(entry: ServerEntry): NewServer {
  const { written } = entry
  const own = ownBlock(entry)
  const more: JsonObject = {
    ...(entry.disabled && { disabled: true }),
    ...(Object.keys(own).length > 0 && { deepPilot: own }),
  }
  const spell = (value: JsonValue | undefined): string => spelled(entry, value)
  if (entry.transport === 'stdio') {
    const words = Array.isArray(written['command']) ? written['command'].map(spell) : []
    const { cwd, envFile } = written
    return {
      kind: 'stdio',
      command: words[0] ?? '',
      args: words.slice(1),
      env: texts(written['env'], spell),
      ...(cwd !== undefined && { cwd: spell(cwd) }),
      ...(envFile !== undefined && { envFile: spell(envFile) }),
      more,
    }
  }
  const transport = TRANSPORTS[entry.transport]
  return {
    kind: 'url',
    url: spell(written['url']),
    headers: texts(written['headers'], spell),
    ...(transport !== undefined && { transport }),
    more,
  }
}

const TRANSPORTS: Readonly<Record<string, 'http' | 'sse' | 'ws' | undefined>> = {
  'streamable-http': 'http',
  sse: 'sse',
  websocket: 'ws',
}

function texts(
  value: JsonValue | undefined,
  spell: (value: JsonValue | undefined) => string,
): Readonly<Record<string, string>> {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, spell(text)]))
    : {}
}

/** References as we write them. An input becomes a variable of its name, as inputs belong to their file. */
function spelled({ shape, origins }: ServerEntry, value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : ''
  const plain = text.replaceAll(/\$\{input:([^}]*)\}/g, (_, id: string) => `\${${nameOf(id)}}`)
  if (shape === 'opencode')
    return plain.replaceAll(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`)
  if (shape !== 'gemini-cli') return plain
  const used = new Set(
    origins.flatMap(({ raw, sources }) =>
      raw === text
        ? sources.flatMap((source) => (source.kind === 'variable' ? [source.name] : []))
        : [],
    ),
  )
  return plain.replaceAll(/\$([A-Za-z_]\w*)/g, (whole, name: string) =>
    used.has(name) ? `\${${name}}` : whole,
  )
}

function nameOf(id: string): string {
  return id.replaceAll(/\W/g, '_').toUpperCase()
}

/** What only we read: waits, lists of tools, when it is started. */
function ownBlock({ timeouts, onlyTools, withoutTools, start }: ServerEntry): JsonObject {
  const waits = Object.entries(timeouts).map(([name, { ms }]) => [`${name}TimeoutMs`, ms] as const)
  return {
    ...(start !== 'optional' && { start }),
    ...(onlyTools !== undefined && { onlyTools: [...onlyTools] }),
    ...(withoutTools !== undefined && { withoutTools: [...withoutTools] }),
    ...Object.fromEntries(waits),
  }
}
