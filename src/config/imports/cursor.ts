/** Cursor: `mcpServers`; an address without a type is one over HTTP. */

import { callTimer, endsIn, type Shape } from './shape.ts'

export const cursor: Shape = {
  name: 'cursor',
  title: 'Cursor',
  owns: (path) => endsIn(path, '.cursor/mcp.json'),
  timers: [callTimer('timeout', 1, { leastMs: 1000 })],
  variables: {},
  marks: [],
  files: [{ path: '~/.cursor/mcp.json' }, { path: './.cursor/mcp.json' }],
}
