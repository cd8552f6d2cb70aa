/**
 * `mcpServers` in JSON without the mark of any host, as in `.mcp.json`, and our own file. Waits are milliseconds, and those
 * below a second are taken for seconds that were meant for another host, hence not taken.
 */

import { callTimer, endsIn, type Shape } from './shape.ts'

export const plain: Shape = {
  name: 'mcp-json',
  title: 'mcpServers',
  owns: (path) => endsIn(path, '.mcp.json', 'mcp.json'),
  timers: [callTimer('timeout', 1, { leastMs: 1000 })],
  variables: {},
  marks: [],
  files: [{ path: './.mcp.json' }, { path: './config/mcporter.json' }],
}

export const deepPilot: Shape = {
  name: 'deep-pilot',
  title: 'deep-pilot',
  owns: (path) => endsIn(path, 'deep-pilot.json', 'deep-pilot.jsonc', '.deep-pilot/config.jsonc'),
  timers: [callTimer('timeout', 1, { leastMs: 1000 })],
  variables: {},
  marks: ['deepPilot'],
  files: [{ path: './deep-pilot.json' }, { path: './deep-pilot.jsonc' }],
}
