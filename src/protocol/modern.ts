/**
 * A dialect of the modern era, made from a vocabulary: no session, an envelope on every request, questions inside of
 * results, and changes on listen streams.
 */

import { BugError, ProtocolError } from '../base/errors.ts'
import type { JsonObject, JsonText } from '../base/json.ts'
import { isRequestId, type Notification, type RequestId } from '../jsonrpc/message.ts'
import { projectCapabilities } from './capability.ts'
import { readServerFacts } from './decode.ts'
import type {
  Call,
  ClientIdentity,
  Dialect,
  Opening,
  Outcome,
  ServerFacts,
  ServerIdentity,
} from './dialect.ts'
import { envelopeText, join, projectInfo, readEnvelope, writeParams } from './envelope.ts'
import { checkHeaders, requestHeaders } from './headers.ts'
import { errorObject, modernCode, modernStatus, unsupportedVersion } from './errors.ts'
import { progressOf } from './legacy.ts'
import {
  LOG_LEVEL_KEY,
  metaOf,
  PROTOCOL_VERSION_KEY,
  SERVER_INFO_KEY,
  SUBSCRIPTION_ID_KEY,
} from './meta.ts'
import { CACHEABLE_METHODS } from './methods.ts'
import { cacheText, decodeResult, encodeQuestions, writeResultText } from './modern-result.ts'
import { projectResult } from './project.ts'
import type { Vocabulary } from './vocabulary.ts'

export function modernDialect(words: Vocabulary): Dialect {
  const envelopes = new WeakMap<ClientIdentity, string>()
  const heads = new WeakMap<ServerIdentity, string>()
  const envelopeOf = (self: ClientIdentity): string =>
    remember(envelopes, self, () => envelopeText(self, words))
  const headOf = (self: ServerIdentity): string =>
    remember(heads, self, () => serverInfoText(self, words))
  const encodeRequest = (call: Call, self?: ClientIdentity): { params: JsonText | undefined } => {
    if (self === undefined)
      throw new BugError(`A request of ${words.revision} needs to know who sends it`, {
        method: call.method,
      })
    const level =
      call.logLevel === undefined
        ? ''
        : `${JSON.stringify(LOG_LEVEL_KEY)}:${JSON.stringify(call.logLevel)}`
    return { params: writeParams(call, join(envelopeOf(self), level)) } // META-06, LOG-05
  }
  return {
    revision: words.revision,
    era: 'modern',
    methods: words.methods,
    link: words.link,
    traits: words.traits,
    open: (peer, self) =>
      discover(words, peer, encodeRequest({ method: 'server/discover' }, self).params),
    welcome: (self) => welcome(words, self),
    encodeRequest,
    requestHeaders: (method, params) => requestHeaders(words.revision, method, params),
    decodeRequest(request, facts) {
      const inbound = readEnvelope(request, words.revision)
      if (facts?.headers !== undefined) checkHeaders(request, facts.headers) // HTTP-58
      const version = metaOf(request.params)?.[PROTOCOL_VERSION_KEY]
      if (typeof version === 'string' && version !== words.revision)
        throw unsupportedVersion(version, [words.revision])
      return inbound
    },
    encodeResult: (method, outcome, self) =>
      encodeResult(words, { method, outcome, self, head: self === undefined ? '' : headOf(self) }),
    decodeResult,
    exchangeOf,
    encodeError(thrown) {
      const error = errorObject(thrown)
      const code = modernCode(error.code)
      const status = modernStatus(thrown, code)
      return { error: { ...error, code }, ...(status === undefined ? {} : { status }) }
    },
    subscriptionMeta: (id) => ({ [SUBSCRIPTION_ID_KEY]: id }), // SUB-06
  }
}

interface Told {
  readonly method: string
  readonly outcome: Outcome
  readonly self: ServerIdentity | undefined
  readonly head: string
}

function encodeResult(words: Vocabulary, { method, outcome, self, head }: Told): JsonText {
  if (outcome.kind === 'input-required') return encodeQuestions(words, { method, outcome, head })
  if (outcome.kind === 'task') {
    const task = outcome.task as unknown as JsonObject // JSON by its contract
    return writeResultText(task, { resultType: 'task', head, cache: '' }) // TASKX-05
  }
  const result = projectResult(method, outcome.result, words)
  const cache = CACHEABLE_METHODS.has(method) ? cacheText(result, self) : ''
  return writeResultText(result, { resultType: 'complete', head, cache }) // RPC-18
}

function remember<Key extends object>(
  cache: WeakMap<Key, string>,
  key: Key,
  make: () => string,
): string {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}

function serverInfoText(self: ServerIdentity, words: Vocabulary): string {
  return `${JSON.stringify(SERVER_INFO_KEY)}:${JSON.stringify(projectInfo(self.info, words))}` // META-10
}

/** Asks what the server is. Never needed before a call, and the one request that changes nothing. // LIFE-15 */
async function discover(
  words: Vocabulary,
  peer: Opening,
  params: JsonText | undefined,
): Promise<ServerFacts> {
  const headers = requestHeaders(words.revision, 'server/discover', undefined)
  const answer = await peer.ask('server/discover', params, headers)
  const supported = answer['supportedVersions']
  if (Array.isArray(supported) && supported.includes(words.revision))
    return readServerFacts(answer, words.revision)
  throw new ProtocolError(
    'DP_PROTOCOL_VERSION',
    `The server was asked in ${words.revision} and does not list it among its versions`,
    {
      method: 'server/discover',
      requirement: 'LIFE-14',
      detail: { kind: 'version', why: 'unlisted', ours: [words.revision] },
    },
  )
}

/** // LIFE-14 */
function welcome(words: Vocabulary, self: ServerIdentity): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: [...self.revisions],
    capabilities: projectCapabilities(self.capabilities, words.serverCapabilities), // LIFE-16
    ...(self.instructions === undefined ? {} : { instructions: self.instructions }),
    ttlMs: self.ttlMs,
    cacheScope: self.cacheScope,
    _meta: { [SERVER_INFO_KEY]: projectInfo(self.info, words) },
  }
}

/** Progress by its token, messages of a subscription by their tag, and the end of one by the id it names. // SUB-06, SUB-10 */
function exchangeOf(notification: Notification): RequestId | undefined {
  const tag = metaOf(notification.params)?.[SUBSCRIPTION_ID_KEY]
  if (isRequestId(tag)) return tag
  if (notification.method !== 'notifications/cancelled') return progressOf(notification)
  const ended = notification.params?.['requestId']
  return isRequestId(ended) ? ended : undefined
}
