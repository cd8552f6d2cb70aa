/**
 * What a server remembers across the rounds of one modern call, sealed so that only this server can read or make it.
 *
 * The client carries it and is not trusted with it: AES-GCM over the state, bound to the method and its parameters,
 * with an end to its life (MRTR-09, MRTR-10). Keys may be shared by replicas and rotated.
 */

import { systemClock, systemRandom, type Clock, type Random } from '../base/clock.ts'
import { RpcRefusal, UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { INVALID_PARAMS } from '../jsonrpc/message.ts'

export interface SealerOptions {
  /** 32 bytes each. The first seals, all open: put a new one in front to rotate. Default: one random key. */
  readonly keys?: readonly Uint8Array[]
  /** How long a state may be redeemed, in ms. Default 10 min. */
  readonly lifeMs?: number
  readonly clock?: Clock
  readonly random?: Random
}

/** What was sealed, and what tells it from every other. */
export interface OpenedState {
  readonly state: JsonObject
  /** Unique to this sealing. */
  readonly id: string
  /** When it expires, in milliseconds since 1970. */
  readonly until: number
}

/** A key as WebCrypto holds it; its name is not a global type everywhere. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const IV_BYTES = 12
/** Longest state that is looked at; ours are far shorter unless answers are huge. */
const MAX_STATE_CHARACTERS = 256 * 1024

/** Seals and opens request states. */
export class Sealer {
  readonly #keys: Promise<readonly Key[]>
  readonly #lifeMs: number
  readonly #clock: Clock
  readonly #random: Random

  constructor(options: SealerOptions = {}) {
    this.#random = options.random ?? systemRandom
    this.#clock = options.clock ?? systemClock
    this.#lifeMs = options.lifeMs ?? 600_000
    const keys = options.keys ?? [this.#random(32)]
    if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
      throw new UsageError(
        'Keys for request states must be 32 bytes long, and there must be at least one.',
      )
    }
    this.#keys = Promise.all(
      keys.map((key) =>
        crypto.subtle.importKey('raw', copyOf(key), 'AES-GCM', false, ['encrypt', 'decrypt']),
      ),
    )
    this.#keys.catch(() => undefined) // told by whoever seals or opens first
  }

  /** Text for `requestState`. `binding` is what must be the same when it comes back. */
  async seal(state: JsonObject, binding: string): Promise<string> {
    const [key] = await this.#keys
    if (key === undefined) throw new UsageError('There is no key to seal with.')
    const iv = copyOf(this.#random(IV_BYTES))
    const plain = new TextEncoder().encode(
      JSON.stringify({ until: this.#clock.wall() + this.#lifeMs, state }),
    )
    const additionalData = await digest(binding)
    const sealed = new Uint8Array(
      await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plain),
    )
    const whole = new Uint8Array(IV_BYTES + sealed.length)
    whole.set(iv)
    whole.set(sealed, IV_BYTES)
    return toBase64Url(whole)
  }

  /** The state again. Throws `RpcRefusal` for anything that was not sealed here, for this request, in time. */
  async open(text: string, binding: string): Promise<OpenedState> {
    const bytes = text.length > MAX_STATE_CHARACTERS ? undefined : fromBase64Url(text)
    if (bytes === undefined || bytes.length <= IV_BYTES) throw invalid()
    const additionalData = await digest(binding)
    const iv = bytes.slice(0, IV_BYTES)
    for (const key of await this.#keys) {
      const plain = await decrypt(key, { iv, additionalData }, bytes.slice(IV_BYTES))
      if (plain !== undefined) return { ...this.#read(plain), id: toBase64Url(iv) }
    }
    throw invalid()
  }

  #read(plain: ArrayBuffer): Omit<OpenedState, 'id'> {
    // Sealed here, so its shape is known; its time is not.
    const { until, state } = JSON.parse(new TextDecoder().decode(plain)) as {
      until: number
      state: JsonObject
    }
    if (this.#clock.wall() > until)
      throw new RpcRefusal(INVALID_PARAMS, 'The requestState has expired: start the call again')
    return { state: isJsonObject(state) ? state : {}, until }
  }
}

async function decrypt(
  key: Key,
  { iv, additionalData }: { iv: Uint8Array<ArrayBuffer>; additionalData: Uint8Array<ArrayBuffer> },
  sealed: Uint8Array<ArrayBuffer>,
): Promise<ArrayBuffer | undefined> {
  try {
    return await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed)
  } catch {
    return undefined // another key, another request, or tampered with: all the same to the caller
  }
}

async function digest(binding: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(binding)))
}

function invalid(): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, 'The requestState was not made here for this request')
}

/** WebCrypto wants views of plain buffers. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The bytes; none for another spelling of them, as when the last character holds bits that say nothing. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    const bytes = Uint8Array.from(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    )
    return toBase64Url(bytes) === text ? bytes : undefined
  } catch {
    return undefined // not base64
  }
}
