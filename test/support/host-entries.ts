/** Entries and policies for hosts whose servers are processes. No test runner in here: hosts that are killed use it too. */
import type { StdioEntry } from '../../src/config/entry.ts'
import type { Policy } from '../../src/policy/policy.ts'

/** An entry for a program of this Node, as a file of the user would give it. */
export function nodeEntry(
  key: string,
  args: readonly string[],
  rest: Partial<StdioEntry> = {},
): StdioEntry {
  return {
    key,
    scope: 'user',
    place: { file: '/home/ada/.deep-pilot/config.json', line: 3, pointer: `/mcpServers/${key}` },
    shape: 'deep-pilot',
    approved: true,
    disabled: false,
    start: 'optional',
    trusted: false,
    timeouts: {},
    labels: [],
    toolLabels: new Map(),
    secrets: [],
    origins: [],
    written: {},
    transport: 'stdio',
    command: process.execPath,
    args,
    env: {},
    ...rest,
  }
}

/** Everything goes without a question: what is looked at is the host, not who may do what. */
export const ALLOW_ALL: Policy = {
  rules: [],
  otherwise: 'allow',
  readOnlyOfTrusted: 'allow',
  flow: 'off',
  native: 'allow',
}
