/** Visual Studio Code: `servers` with `inputs` beside it, also below `mcp` in its settings. It sets no waits. */

import type { ConfigNode } from '../document.ts'
import { callTimer, endsIn, type ServerGroup, type Shape } from './shape.ts'

export const vscode: Shape = {
  name: 'vscode',
  title: 'VS Code',
  owns: (path) => endsIn(path, '.vscode/mcp.json', '.vscode/settings.json', 'Code/User/mcp.json'),
  timers: [callTimer('timeout', 1, { leastMs: 1000 })],
  variables: {},
  marks: ['dev', 'sandboxEnabled'],
  files: [
    { path: '~/Library/Application Support/Code/User/mcp.json', platform: 'darwin' },
    { path: '~/.config/Code/User/mcp.json', platform: 'linux' },
    { path: '%APPDATA%/Code/User/mcp.json', platform: 'win32' },
    { path: './.vscode/mcp.json' },
  ],
}

/** The group in an object that has `servers`. */
export function vscodeGroup(holder: ConfigNode, key: string): readonly ServerGroup[] {
  const node = holder.members.get('servers')
  if (node === undefined) return []
  const inputs = holder.members.get('inputs')
  return [{ key, node, shape: vscode, ...(inputs !== undefined && { inputs }) }]
}
