/** LibreChat: `mcpServers` in YAML, waits in milliseconds, `{{…}}` for what is known of a user there and nowhere else. */

import { callTimer, endsIn, type Shape } from './shape.ts'

export const librechat: Shape = {
  name: 'librechat',
  title: 'LibreChat',
  owns: (path) => endsIn(path, 'librechat.yaml', 'librechat.yml'),
  timers: [callTimer('timeout', 1), { path: ['initTimeout'], unitMs: 1, timers: ['start'] }],
  variables: { placeholders: true },
  marks: ['initTimeout', 'serverInstructions', 'customUserVars', 'chatMenu'],
  files: [{ path: './librechat.yaml' }],
}
