/** The first revision: everything that the others begin from. */

import type { Dialect } from '../dialect.ts'
import { legacyDialect } from '../legacy.ts'
import { CORE_METHODS, EARLY_QUESTIONS, methodTable, SESSION_METHODS } from '../methods.ts'
import type { Vocabulary } from '../vocabulary.ts'

export const vocabulary20241105: Vocabulary = {
  revision: '2024-11-05',
  methods: methodTable(SESSION_METHODS, CORE_METHODS, EARLY_QUESTIONS, [
    // There is no capability for completion yet: one just tries.
    ['completion/complete', { kind: 'request', sender: 'client' }], // COMP-01
  ]),
  // Its own HTTP transport has neither sessions nor resumption; over the later one its peers have both.
  link: {
    batches: false,
    sessions: true,
    standaloneStream: true,
    resumable: true,
    primesStreams: false,
    closingCancels: false, // HTTP-18
    versionHeader: undefined, // HSSE-09
  },
  traits: {
    serverAsks: 'request', // RPC-15
    changes: 'broadcast', // TOOL-23
    logLevel: 'session', // LOG-03
    argumentErrors: 'error', // TOOL-16
    unreadId: 'null', // RPC-08
    elicitationIds: false,
    samplingContextDeclared: false,
    samplingTools: false,
    tasks: 'none',
    cacheHints: false, // CACHE-03
    mirrorsHeaders: false,
  },
  clientCapabilities: {
    experimental: 'all',
    roots: ['listChanged'], // ROOT-01
    sampling: [], // SAMP-01
    extensions: 'all', // EXT-05
  },
  serverCapabilities: {
    experimental: 'all',
    logging: 'all', // LOG-01
    prompts: ['listChanged'], // PRMT-01
    resources: ['subscribe', 'listChanged'], // RES-01
    tools: ['listChanged'], // TOOL-01
    extensions: 'all', // EXT-05
  },
  implementation: ['name', 'version'], // LIFE-02
  blocks: new Set(['text', 'image', 'resource']), // TOOL-13
  samplingBlocks: new Set(['text', 'image']),
  samplingArrays: false, // SAMP-10
  structured: 'object', // TOOL-09
  toolSchemas: 'narrow', // TOOL-05
  toolExecution: false, // TOOL-26
  choices: 'enum-names',
}

export const dialect20241105: Dialect = legacyDialect(vocabulary20241105)
