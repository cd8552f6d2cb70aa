/** Windsurf: `mcpServers`, addresses as `serverUrl`. */

import { callTimer, endsIn, type Shape } from './shape.ts'

export const windsurf: Shape = {
  name: 'windsurf',
  title: 'Windsurf',
  owns: (path) => endsIn(path, 'windsurf/mcp_config.json'),
  timers: [callTimer('timeout', 1, { leastMs: 1000 })],
  variables: {},
  marks: ['serverUrl', 'disabledTools'],
  files: [{ path: '~/.codeium/windsurf/mcp_config.json' }],
}
