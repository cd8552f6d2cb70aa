/** Brought elicitation, structured tool output, resource links and titles, and took batches away. */

import type { Dialect } from '../dialect.ts'
import { legacyDialect } from '../legacy.ts'
import { ELICITATION, methodTable } from '../methods.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { vocabulary20250326 as previous } from './2025-03-26.ts'

export const vocabulary20250618: Vocabulary = {
  ...previous,
  revision: '2025-06-18',
  methods: methodTable([...previous.methods], ELICITATION), // ELIC-03
  link: { ...previous.link, batches: false, versionHeader: '2025-06-18' }, // RPC-14, HTTP-35
  clientCapabilities: { ...previous.clientCapabilities, elicitation: [] }, // ELIC-01
  implementation: [...previous.implementation, 'title'], // LIFE-21
  blocks: new Set([...previous.blocks, 'resource_link']), // TOOL-13
}

export const dialect20250618: Dialect = legacyDialect(vocabulary20250618)
