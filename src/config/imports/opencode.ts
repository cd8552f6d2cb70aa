/**
 * opencode: servers directly below `mcp` (first version) or below `mcp.servers` (second), `command` as a list, waits in
 * milliseconds, and variables as `{env:NAME}`.
 */

import type { ConfigNode } from '../document.ts'
import { endsIn, type ServerGroup, type Shape } from './shape.ts'

export const opencode: Shape = {
  name: 'opencode',
  title: 'opencode',
  owns: (path) => endsIn(path, 'opencode.json', 'opencode.jsonc'),
  timers: [
    // Of the first version: how long the tools may take to be listed, which ends the start.
    { path: ['timeout'], unitMs: 1, timers: ['start'] },
    { path: ['timeout', 'startup'], unitMs: 1, timers: ['start'] },
    { path: ['timeout', 'request'], unitMs: 1, timers: ['idle', 'total'] },
  ],
  variables: { braces: true },
  marks: ['environment'],
  // An entry may only switch a server of the organisation on or off; without it there is nothing to switch.
  prepare: (node) =>
    node.kind === 'object' && ['enabled', 'disabled'].some((key) => isAlone(node, key))
      ? undefined
      : node,
  files: [
    { path: '~/.config/opencode/opencode.json' },
    { path: '~/.config/opencode/opencode.jsonc' },
    { path: './opencode.json' },
    { path: './opencode.jsonc' },
  ],
}

function isAlone({ members }: ConfigNode, key: string): boolean {
  return members.size === 1 && members.has(key)
}

/** Whether servers are written as this host does. */
export function looksLikeOpencode(servers: ConfigNode): boolean {
  return [...servers.members.values()].some(
    ({ members }) =>
      members.get('command')?.kind === 'array' ||
      ['local', 'remote'].includes(members.get('type')?.text ?? ''),
  )
}

/** The group directly below `mcp`, when that holds servers: other hosts keep settings under the same name. */
export function opencodeGroup(mcp: ConfigNode, isOwnFile: boolean): readonly ServerGroup[] {
  if (mcp.kind !== 'object' || !(isOwnFile || looksLikeOpencode(mcp))) return []
  return [{ key: 'mcp', node: mcp, shape: opencode }]
}
