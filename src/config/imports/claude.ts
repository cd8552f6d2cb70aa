/** Claude Code and Claude Desktop: `mcpServers`, waits in milliseconds, and servers of single projects in the user's file. */

import { callTimer, endsIn, type FileFacts, type ServerGroup, type Shape } from './shape.ts'
import type { ConfigNode } from '../document.ts'

/** Shorter waits than this are ignored by the host itself. */
const LEAST_MS = 1000

export const claudeCode: Shape = {
  name: 'claude-code',
  title: 'Claude Code',
  owns: (path) => endsIn(path, '.claude.json', '.claude/settings.json'),
  timers: [callTimer('timeout', 1, { leastMs: LEAST_MS })],
  variables: {},
  marks: ['headersHelper', 'alwaysLoad'],
  files: [{ path: '~/.claude.json' }, { path: './.mcp.json' }],
}

export const claudeDesktop: Shape = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  owns: (path) => endsIn(path, 'claude_desktop_config.json'),
  timers: [],
  variables: {},
  marks: [],
  files: [
    {
      path: '~/Library/Application Support/Claude/claude_desktop_config.json',
      platform: 'darwin',
    },
    { path: '%APPDATA%/Claude/claude_desktop_config.json', platform: 'win32' },
    { path: '~/.config/Claude/claude_desktop_config.json', platform: 'linux' },
  ],
}

/** The servers that the user's own file of Claude Code keeps for the project in `folder`. */
export function claudeProject(root: ConfigNode, { folder }: FileFacts): readonly ServerGroup[] {
  if (folder === undefined) return []
  const node = root.members.get('projects')?.members.get(folder)?.members.get('mcpServers')
  return node === undefined ? [] : [{ key: 'mcpServers', node, shape: claudeCode }]
}
