/** Brought batches, audio, tool annotations, a capability for completion, and Streamable HTTP. */

import type { Dialect } from '../dialect.ts'
import { legacyDialect } from '../legacy.ts'
import { CORE_METHODS, EARLY_QUESTIONS, methodTable, SESSION_METHODS } from '../methods.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { vocabulary20241105 as previous } from './2024-11-05.ts'

export const vocabulary20250326: Vocabulary = {
  ...previous,
  revision: '2025-03-26',
  methods: methodTable(SESSION_METHODS, CORE_METHODS, EARLY_QUESTIONS),
  link: { ...previous.link, batches: true }, // RPC-11
  serverCapabilities: { ...previous.serverCapabilities, completions: 'all' }, // COMP-01
  blocks: new Set([...previous.blocks, 'audio']), // TOOL-13
  samplingBlocks: new Set([...previous.samplingBlocks, 'audio']), // TOOL-13
}

export const dialect20250326: Dialect = legacyDialect(vocabulary20250326)
