/** Codex: tables `[mcp_servers.NAME]` in TOML, waits in seconds, secrets by the names of their variables. */

import { endsIn, callTimer, type Shape } from './shape.ts'

export const codex: Shape = {
  name: 'codex',
  title: 'Codex',
  owns: (path) => endsIn(path, '.codex/config.toml'),
  timers: [
    { path: ['startup_timeout_sec'], unitMs: 1000, timers: ['start'] },
    { path: ['startup_timeout_ms'], unitMs: 1, timers: ['start'] },
    callTimer('tool_timeout_sec', 1000),
  ],
  variables: {},
  marks: ['bearer_token_env_var', 'env_http_headers', 'startup_timeout_sec'],
  files: [{ path: '~/.codex/config.toml' }, { path: './.codex/config.toml' }],
}
