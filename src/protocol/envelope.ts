/**
 * The envelope of a modern request: the reserved `_meta` keys, written once per identity and read by hand.
 *
 * Written, it is text that is put in front of the caller's own params, so that a modern call costs one join of strings
 * more than a legacy one. Read, nothing is remembered: each request says all there is to know. // META-06, META-09
 */

import { isJsonObject, JsonText, type JsonObject, type JsonValue } from '../base/json.ts'
import { isRequestId, type Request, type RequestId } from '../jsonrpc/message.ts'
import { pick, projectClient } from './capability.ts'
import { readClientCapabilities, readImplementation } from './decode.ts'
import type { Call, ClientFacts, ClientIdentity, Inbound } from './dialect.ts'
import { envelopeFault, invalidParams } from './errors.ts'
import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  metaOf,
  omit,
  PROGRESS_TOKEN_KEY,
  PROTOCOL_VERSION_KEY,
  REQUEST_KEYS,
  withoutKeys,
} from './meta.ts'
import { ASKING_METHODS } from './methods.ts'
import { eraOf, type Revision } from './revision.ts'
import { isLoggingLevel, type LoggingLevel } from './types/common.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The revision that a request names for itself, as text of a peer; undefined when it has no envelope. // VERS-08 */
export function envelopeRevision(request: Request): string | undefined {
  const version = metaOf(request.params)?.[PROTOCOL_VERSION_KEY]
  return typeof version === 'string' ? version : undefined
}

/** The reserved keys without the braces around them: the same text for every call of one identity. // META-06, META-07 */
export function envelopeText(self: ClientIdentity, words: Vocabulary): string {
  const envelope: JsonObject = {
    [PROTOCOL_VERSION_KEY]: words.revision, // VERS-04
    [CLIENT_CAPABILITIES_KEY]: projectClient(self.capabilities, words.clientCapabilities),
    [CLIENT_INFO_KEY]: projectInfo(self.info, words),
  }
  return JSON.stringify(envelope).slice(1, -1)
}

/** A name and version in the words of the revision. // LIFE-21 */
export function projectInfo(info: ClientIdentity['info'], words: Vocabulary): JsonObject {
  // An Implementation is JSON by its contract; only named members are taken from it.
  return pick(info as unknown as JsonObject, words.implementation)
}

/**
 * Params with `_meta` in front. `fixed` is text of members that nobody may override; the caller's own `_meta` follows,
 * without the keys that only this package writes. Undefined when there is nothing to add.
 */
export function writeParams(
  { params, progressToken }: Pick<Call, 'params' | 'progressToken'>,
  fixed: string,
): JsonText | undefined {
  let meta = fixed
  if (progressToken !== undefined) {
    const token = typeof progressToken === 'number' ? progressToken : JSON.stringify(progressToken)
    meta = join(meta, `"progressToken":${token}`) // PROG-01
  }
  const given = params?.['_meta']
  if (given === undefined) return meta === '' ? undefined : putInFront(`{"_meta":{${meta}}`, params)
  const own = isJsonObject(given) ? withoutKeys(given, REQUEST_KEYS) : undefined
  return putInFront(`{"_meta":{${join(meta, inner(own))}}`, omit(params ?? {}, '_meta'))
}

/**
 * An object as text, with members in front of its own. `front` begins with its brace. Member by member: to cut the brace
 * off a long text would copy all of it.
 */
export function putInFront(front: string, object: JsonObject | undefined): JsonText {
  let text = front
  for (const name of Object.keys(object ?? {})) {
    const value = object?.[name]
    if (value !== undefined) text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
  return new JsonText(`${text}}`)
}

/** The members of an object as text, without its braces. */
export function inner(object: JsonObject | undefined): string {
  return object === undefined ? '' : JSON.stringify(object).slice(1, -1)
}

/** Two runs of members side by side. */
export function join(first: string, second: string): string {
  if (second === '') return first
  return first === '' ? second : `${first},${second}`
}

/** Takes the envelope off, or refuses the request for what is missing in it. // ERR-15 */
export function readEnvelope(request: Request, revision: Revision): Inbound {
  const meta = metaOf(request.params)
  const version = meta?.[PROTOCOL_VERSION_KEY]
  const capabilities = meta?.[CLIENT_CAPABILITIES_KEY]
  if (meta === undefined || typeof version !== 'string')
    throw envelopeFault(PROTOCOL_VERSION_KEY, 'a string')
  if (!isJsonObject(capabilities)) throw envelopeFault(CLIENT_CAPABILITIES_KEY, 'an object')
  const given = request.params ?? {}
  return new Enveloped(request.method, given, {
    revision,
    meta,
    capabilities,
    logLevel: readLogLevel(meta[LOG_LEVEL_KEY]),
    retry: ASKING_METHODS.has(request.method) ? readRetry(given) : undefined,
  })
}

interface EnvelopeFacts {
  readonly revision: Revision
  readonly meta: JsonObject
  readonly capabilities: JsonObject
  readonly logLevel: LoggingLevel | undefined
  readonly retry: Pick<Inbound, 'inputResponses' | 'requestState'> | undefined
}

/** A checked request. What most requests never look at is made when somebody does. */
class Enveloped implements Inbound {
  readonly enveloped = true
  readonly method: string
  readonly given: JsonObject
  readonly progressToken: RequestId | undefined
  readonly #facts: EnvelopeFacts
  #params: JsonObject | undefined
  #client: ClientFacts | undefined

  constructor(method: string, given: JsonObject, facts: EnvelopeFacts) {
    this.method = method
    this.given = given
    this.progressToken = readToken(facts.meta[PROGRESS_TOKEN_KEY])
    this.#facts = facts
  }

  get params(): JsonObject {
    if (this.#params === undefined) {
      const params = withoutMeta(this.given, this.#facts.meta)
      this.#params =
        this.#facts.retry === undefined ? params : omit(params, 'inputResponses', 'requestState')
    }
    return this.#params
  }

  get client(): ClientFacts {
    const { revision, meta, capabilities } = this.#facts
    this.#client ??= {
      revision,
      era: eraOf(revision),
      info: readImplementation(meta[CLIENT_INFO_KEY]), // optional, and never a reason to refuse: META-08
      capabilities: readClientCapabilities(capabilities),
    }
    return this.#client
  }

  get logLevel(): LoggingLevel | undefined {
    return this.#facts.logLevel
  }

  get inputResponses(): JsonObject | undefined {
    return this.#facts.retry?.inputResponses
  }

  get requestState(): string | undefined {
    return this.#facts.retry?.requestState
  }
}

function readLogLevel(level: JsonValue | undefined): LoggingLevel | undefined {
  if (level === undefined || level === null) return undefined
  if (isLoggingLevel(level)) return level
  throw invalidParams(`Invalid params: "${LOG_LEVEL_KEY}" is no log level`) // LOG-07
}

/** The members of a retry. Extensions use the same names in methods of their own, so only asked where they have this meaning. */
function readRetry(
  params: JsonObject,
): Pick<Inbound, 'inputResponses' | 'requestState'> | undefined {
  const { inputResponses, requestState } = params
  if (inputResponses === undefined && requestState === undefined) return undefined
  const answers = inputResponses ?? undefined
  const state = requestState ?? undefined
  if (answers !== undefined && !isJsonObject(answers))
    throw invalidParams('Invalid params: "inputResponses" is no object') // MRTR-13
  if (state !== undefined && typeof state !== 'string')
    throw invalidParams('Invalid params: "requestState" is no string') // MRTR-13
  return { inputResponses: answers, requestState: state }
}

/** A request without any envelope: only the progress token is taken off. */
export function readPlain(request: Request): Inbound {
  return new Plain(request.method, request.params ?? {})
}

class Plain implements Inbound {
  readonly enveloped = false
  readonly method: string
  readonly given: JsonObject
  readonly client = undefined
  readonly progressToken: RequestId | undefined
  readonly logLevel = undefined
  readonly inputResponses = undefined
  readonly requestState = undefined
  #params: JsonObject | undefined

  constructor(method: string, given: JsonObject) {
    const meta = given['_meta']
    this.method = method
    this.given = given
    this.progressToken = isJsonObject(meta) ? readToken(meta[PROGRESS_TOKEN_KEY]) : undefined
  }

  get params(): JsonObject {
    const meta = this.given['_meta']
    this.#params ??= meta === undefined ? this.given : withoutMeta(this.given, meta)
    return this.#params
  }
}

/** Params with what is left of their metadata when the keys of this package are taken off. */
function withoutMeta(params: JsonObject, meta: JsonValue): JsonObject {
  const rest = omit(params, '_meta')
  const own = isJsonObject(meta) ? withoutKeys(meta, REQUEST_KEYS) : undefined
  if (own !== undefined) rest['_meta'] = own
  return rest
}

/** A token that could not be echoed is no token: the request runs without progress. // PROG-01 */
function readToken(token: JsonValue | undefined): RequestId | undefined {
  return isRequestId(token) ? token : undefined
}
