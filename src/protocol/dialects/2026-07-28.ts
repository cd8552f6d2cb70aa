/** Took the session away: every request says who sends it, questions travel in results, changes on listen streams. */

import type { Dialect } from '../dialect.ts'
import {
  CORE_TASKS,
  ELICITATION_NOTICE,
  INPUT_METHODS,
  methodTable,
  SESSION_METHODS,
  STATELESS_METHODS,
  withoutMethods,
} from '../methods.ts'
import { modernDialect } from '../modern.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { vocabulary20251125 as previous } from './2025-11-25.ts'

const REMOVED = [
  ...SESSION_METHODS.map(([name]) => name), // LIFE-12, PING-04
  ...INPUT_METHODS.keys(), // RPC-16: only as entries of inputRequests
  ...CORE_TASKS.map(([name]) => name), // an extension now
  ...ELICITATION_NOTICE.map(([name]) => name), // ELIC-15
]

const { tasks: _client, ...clientCapabilities } = previous.clientCapabilities
const { tasks: _server, ...serverCapabilities } = previous.serverCapabilities

const vocabulary20260728: Vocabulary = {
  ...previous,
  revision: '2026-07-28',
  methods: methodTable([...withoutMethods(previous.methods, REMOVED)], STATELESS_METHODS, [
    ['notifications/progress', { kind: 'notification', sender: 'server' }], // PROG-08
  ]),
  link: {
    batches: false,
    sessions: false, // RPC-24, VERS-20
    standaloneStream: false, // HTTP-50
    resumable: false,
    primesStreams: false,
    closingCancels: true, // HTTP-81, CANC-06
    versionHeader: '2026-07-28', // HTTP-52
  },
  traits: {
    ...previous.traits,
    serverAsks: 'result', // MRTR-17
    changes: 'listen', // TOOL-23
    logLevel: 'request', // LOG-05
    elicitationIds: false, // ELIC-15
    tasks: 'extension', // TASKX-01
    cacheHints: true, // CACHE-01
    mirrorsHeaders: true, // HTTP-56
  },
  clientCapabilities: { ...clientCapabilities, roots: [] }, // ROOT-05
  serverCapabilities,
  structured: 'any', // TOOL-10
  toolSchemas: 'open', // TOOL-06
  toolExecution: false, // TOOL-26
}

export const dialect20260728: Dialect = modernDialect(vocabulary20260728)
