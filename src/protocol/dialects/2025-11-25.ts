/** Brought tasks, tools in sampling, URL elicitation, richer forms and icons. The last revision with a handshake. */

import type { Dialect } from '../dialect.ts'
import { legacyDialect } from '../legacy.ts'
import { CORE_TASKS, ELICITATION_NOTICE, methodTable } from '../methods.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { vocabulary20250618 as previous } from './2025-06-18.ts'

export const vocabulary20251125: Vocabulary = {
  ...previous,
  revision: '2025-11-25',
  methods: methodTable([...previous.methods], CORE_TASKS, ELICITATION_NOTICE), // TASK-05, ELIC-16
  link: { ...previous.link, primesStreams: true, versionHeader: '2025-11-25' }, // HTTP-15, HTTP-35
  traits: {
    ...previous.traits,
    argumentErrors: 'result', // TOOL-16
    unreadId: 'none', // RPC-08
    elicitationIds: true, // ELIC-14
    samplingTools: true, // SAMP-06
    samplingContextDeclared: true, // SAMP-12
    tasks: 'core', // TASK-01
  },
  clientCapabilities: {
    ...previous.clientCapabilities,
    elicitation: ['form', 'url'], // ELIC-01
    sampling: ['tools', 'context'], // SAMP-01
    tasks: 'all',
  },
  serverCapabilities: { ...previous.serverCapabilities, tasks: 'all' },
  implementation: [...previous.implementation, 'description', 'icons', 'websiteUrl'], // LIFE-21
  samplingBlocks: new Set([...previous.samplingBlocks, 'tool_use', 'tool_result']), // SAMP-08
  samplingArrays: true, // SAMP-10
  toolExecution: true, // TOOL-26
  choices: 'titled', // ELIC-08
}

export const dialect20251125: Dialect = legacyDialect(vocabulary20251125)
