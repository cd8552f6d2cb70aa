/** Cline and its relatives: `mcpServers`, waits in seconds, tools that pass unasked by name. */

import { callTimer, endsIn, type Shape } from './shape.ts'

export const cline: Shape = {
  name: 'cline',
  title: 'Cline',
  owns: (path) => endsIn(path, 'cline_mcp_settings.json', 'mcp_settings.json'),
  timers: [callTimer('timeout', 1000)],
  variables: {},
  marks: ['autoApprove', 'alwaysAllow'],
  files: [{ path: '~/.cline/data/settings/cline_mcp_settings.json' }],
}
