/**
 * A dialect of the legacy era, made from a vocabulary: a handshake opens a session, and after it messages carry no
 * envelope. Which revision it is shows in the vocabulary alone.
 */

import { BugError, ProtocolError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isRequestId, type Notification, type RequestId } from '../jsonrpc/message.ts'
import { projectCapabilities, projectClient } from './capability.ts'
import { readServerFacts } from './decode.ts'
import type {
  ClientIdentity,
  Dialect,
  OpenOptions,
  Opening,
  Outcome,
  ServerFacts,
  ServerIdentity,
} from './dialect.ts'
import { projectInfo, readPlain, writeParams } from './envelope.ts'
import { errorObject } from './errors.ts'
import { projectResult } from './project.ts'
import { projectQuestion } from './questions.ts'
import { readResult } from './results.ts'
import { LEGACY_REVISIONS } from './revision.ts'
import type { Vocabulary } from './vocabulary.ts'

export function legacyDialect(words: Vocabulary): Dialect {
  return {
    revision: words.revision,
    era: 'legacy',
    methods: words.methods,
    link: words.link,
    traits: words.traits,
    open: (peer, self, options) => shakeHands(words, peer, { self, ...options }),
    welcome: (self) => welcome(words, self),
    encodeRequest(call) {
      const params = projectQuestion(call.method, call.params, words)
      if (call.progressToken === undefined && params?.['_meta'] === undefined) return { params }
      return { params: writeParams({ params, progressToken: call.progressToken }, '') }
    },
    requestHeaders: () => undefined,
    decodeRequest: readPlain,
    encodeResult: (method, outcome) => encodeResult(words, method, outcome),
    decodeResult: (method, raw) => ({
      kind: 'complete',
      result: readResult(method, raw, words.structured),
    }),
    exchangeOf: progressOf,
    encodeError: (thrown) => ({ error: errorObject(thrown) }),
    subscriptionMeta: () => undefined,
  }
}

/** The request that a progress notification is about: its token is the id. // PROG-01 */
export function progressOf(notification: Notification): RequestId | undefined {
  if (notification.method !== 'notifications/progress') return undefined
  const token = notification.params?.['progressToken']
  return isRequestId(token) ? token : undefined
}

/** `initialize`, a look at the answer, and `notifications/initialized`, once. // LIFE-01, LIFE-04 */
async function shakeHands(
  words: Vocabulary,
  peer: Opening,
  { self, accepts = LEGACY_REVISIONS }: OpenOptions & { self: ClientIdentity },
): Promise<ServerFacts> {
  const answer = await peer.ask('initialize', {
    protocolVersion: words.revision, // VERS-01
    capabilities: projectClient(self.capabilities, words.clientCapabilities),
    clientInfo: projectInfo(self.info, words), // LIFE-02
  })
  const named = answer['protocolVersion']
  const agreed = accepts.find((revision) => revision === named)
  if (agreed === undefined) throw wrongVersion(words, named, accepts) // VERS-03
  peer.tell('notifications/initialized')
  return readServerFacts(answer, agreed)
}

function wrongVersion(
  words: Vocabulary,
  named: unknown,
  accepts: readonly string[],
): ProtocolError {
  const theirs = typeof named === 'string' ? `"${named.slice(0, 64)}"` : 'no version at all'
  return new ProtocolError(
    'DP_PROTOCOL_VERSION',
    `The server was offered ${words.revision} and named ${theirs}; this client speaks ${accepts.join(', ')}`,
    {
      method: 'initialize',
      requirement: 'VERS-03',
      detail: {
        kind: 'version',
        why: 'other',
        ours: accepts,
        theirs: typeof named === 'string' ? [named.slice(0, 64)] : [],
      },
    },
  )
}

/** // LIFE-03, VERS-02 */
function welcome(words: Vocabulary, self: ServerIdentity): JsonObject {
  return {
    protocolVersion: words.revision,
    capabilities: projectCapabilities(self.capabilities, words.serverCapabilities),
    serverInfo: projectInfo(self.info, words),
    ...(self.instructions === undefined ? {} : { instructions: self.instructions }),
  }
}

/** What is said only in the modern era. A gateway passes results on that have it. */
const MODERN_MEMBERS = ['resultType', 'ttlMs', 'cacheScope'] as const

function encodeResult(words: Vocabulary, method: string, outcome: Outcome): JsonObject {
  if (outcome.kind === 'input-required') {
    throw new BugError(
      `In ${words.revision} a server asks by requests of its own, not in the result of ${method}`,
      { method },
    )
  }
  if (outcome.kind === 'task') {
    throw new BugError(`${words.revision} does not have the tasks of the extension`, { method }) // TASKX-20
  }
  const { result } = outcome
  const told = MODERN_MEMBERS.some((member) => result[member] !== undefined)
    ? withoutModern(result)
    : result
  return projectResult(method, told, words)
}

function withoutModern(result: JsonObject): JsonObject {
  const { resultType: _, ttlMs: __, cacheScope: ___, ...rest } = result
  return rest
}
