/** What every server has that a comparison makes up: nothing was read from a file, and nothing about it is believed. */

import type { EntryBase } from '../../config/entry.ts'

export function givenEntry(key: string): EntryBase {
  return {
    key,
    scope: 'given',
    place: { file: 'compare', pointer: `/mcpServers/${key}` },
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
  }
}
