/** Gemini CLI: `mcpServers`, `httpUrl` before `url`, waits in milliseconds, `$NAME`, and lists of servers under `mcp`. */

import type { ConfigNode } from '../document.ts'
import { callTimer, endsIn, type Shape } from './shape.ts'

export const geminiCli: Shape = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  owns: (path) => endsIn(path, '.gemini/settings.json'),
  timers: [callTimer('timeout', 1)],
  variables: { bare: true },
  marks: ['httpUrl', 'includeTools', 'excludeTools', 'trust'],
  addressOrder: ['httpUrl', 'url'],
  files: [{ path: '~/.gemini/settings.json' }, { path: './.gemini/settings.json' }],
}

/** What `mcp.allowed` and `mcp.excluded` switch off; nothing when neither is there. */
export function geminiOff(root: ConfigNode): ((server: string) => boolean) | undefined {
  const mcp = root.members.get('mcp')
  const allowed = namesIn(mcp?.members.get('allowed'))
  const excluded = namesIn(mcp?.members.get('excluded'))
  if (allowed === undefined && excluded === undefined) return undefined
  return (server) =>
    (allowed !== undefined && !allowed.has(server)) || excluded?.has(server) === true
}

function namesIn(node: ConfigNode | undefined): ReadonlySet<string> | undefined {
  return node?.kind === 'array' ? new Set(node.items.map(({ text }) => text)) : undefined
}
