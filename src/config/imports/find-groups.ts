/** Finds where a file names its servers, and in which host's manner. A file may have several such places. */

import type { ConfigNode } from '../document.ts'
import { claudeCode, claudeDesktop, claudeProject } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { geminiCli, geminiOff } from './gemini-cli.ts'
import { goose } from './goose.ts'
import { librechat } from './librechat.ts'
import { looksLikeOpencode, opencode, opencodeGroup } from './opencode.ts'
import { deepPilot, plain } from './plain.ts'
import { endsIn, type FileFacts, type ServerGroup, type Shape } from './shape.ts'
import { vscode, vscodeGroup } from './vscode.ts'
import { windsurf } from './windsurf.ts'

/** Every shape, for who looks for files to import. */
export const SHAPES: readonly Shape[] = [
  claudeCode,
  claudeDesktop,
  vscode,
  cursor,
  codex,
  opencode,
  goose,
  cline,
  librechat,
  windsurf,
  geminiCli,
  plain,
]

/** Those with `mcpServers`; a file or an entry with a mark of one of them is read in its manner. */
const WITH_MCP_SERVERS: readonly Shape[] = [
  deepPilot,
  claudeDesktop,
  cursor,
  cline,
  librechat,
  windsurf,
  geminiCli,
  claudeCode,
]

/** Names that servers are looked for under, for people. */
export const LOOKED_FOR = 'mcpServers, servers, mcp, mcp_servers, extensions'

/** The places with servers, in the order in which they stand here. Their nodes may be of any kind. */
export function findGroups(root: ConfigNode, file: FileFacts): readonly ServerGroup[] {
  return [
    ...mcpServers(root, file),
    ...(endsIn(file.path, '.claude.json') ? claudeProject(root, file) : []),
    ...(file.format === 'json' ? [...vscodeGroup(root, 'servers'), ...belowMcp(root, file)] : []),
    ...named(root, 'mcp_servers', codex),
    ...(file.format === 'yaml' ? named(root, 'extensions', goose) : []),
  ]
}

function mcpServers(root: ConfigNode, file: FileFacts): readonly ServerGroup[] {
  const node = root.members.get('mcpServers')
  if (node === undefined) return []
  const shape = shapeOf(node, file)
  const off = shape === geminiCli ? geminiOff(root) : undefined
  const inputs = root.members.get('inputs')
  return [
    {
      key: 'mcpServers',
      node,
      shape,
      ...(off !== undefined && { off }),
      ...(inputs !== undefined && { inputs }),
    },
  ]
}

function shapeOf(servers: ConfigNode, { path, format }: FileFacts): Shape {
  const owner = WITH_MCP_SERVERS.find(({ owns }) => owns(path))
  if (owner !== undefined) return owner
  if (format === 'yaml') return librechat
  const entries = [...servers.members.values()]
  const marked = WITH_MCP_SERVERS.find(({ marks }) =>
    entries.some(({ members }) => marks.some((mark) => members.has(mark))),
  )
  return marked === undefined || marked === deepPilot ? plain : marked
}

function belowMcp(root: ConfigNode, { path }: FileFacts): readonly ServerGroup[] {
  const mcp = root.members.get('mcp')
  if (mcp === undefined) return []
  const isOwnFile = opencode.owns(path)
  const servers = mcp.members.get('servers')
  const isServer = ['command', 'url', 'type'].some((key) => servers?.members.has(key))
  if (servers === undefined || isServer) {
    return root.members.has('mcpServers') ? [] : opencodeGroup(mcp, isOwnFile)
  }
  return isOwnFile || looksLikeOpencode(servers)
    ? [{ key: 'mcp.servers', node: servers, shape: opencode }]
    : vscodeGroup(mcp, 'mcp.servers')
}

function named(root: ConfigNode, key: string, shape: Shape): readonly ServerGroup[] {
  const node = root.members.get(key)
  return node === undefined ? [] : [{ key, node, shape }]
}
