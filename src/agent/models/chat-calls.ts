/**
 * Calls of one reply, put together from pieces that servers cut in different ways: by place, by id, or whole.
 *
 * Nothing of a call is checked here but its size: names may be unknown and arguments no JSON.
 */

import { ModelError } from '../../base/errors.ts'
import type { Message, ModelCall } from '../conversation.ts'
import type { ModelDelta, ModelWarning } from '../model.ts'
import { CallIds } from './call-ids.ts'

/** Most calls of one reply. */
const MAX_CALLS = 128
/** Longest arguments of one call, in UTF-16 units. */
const MAX_ARGUMENTS: number = 4 * 1024 * 1024
/** Longest name that is kept: none so long exists. */
const MAX_NAME = 1024

export interface CallPiece {
  /** The call's place as the server counts; undefined where it does not. */
  readonly index?: number | undefined
  readonly id?: unknown
  readonly name?: unknown
  /** A piece of the text of the arguments, or all of them as an object. */
  readonly arguments?: unknown
  /** It is a call of its own and not a piece of one. */
  readonly isWhole?: boolean
}

export interface CallsOptions {
  readonly provider: string
  /** The conversation before the reply. */
  readonly messages: readonly Message[]
  readonly onDelta: ((delta: ModelDelta) => void) | undefined
  warn(kind: ModelWarning['kind'], message: string): void
}

interface Slot {
  readonly place: number
  /** As the server gave it. */
  givenId: string | number | undefined
  /** As it is told; set with the name. */
  id: string | undefined
  name: string
  text: string
}

export class ChatCalls {
  readonly #options: CallsOptions
  readonly #ids: CallIds
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()

  constructor(options: CallsOptions) {
    this.#options = options
    this.#ids = new CallIds(options.messages)
  }

  /** Throws `DP_MODEL_UNREADABLE` when a bound is passed. */
  add(piece: CallPiece): void {
    const slot = this.#slotOf(piece)
    if (isGivenId(piece.id)) slot.givenId ??= piece.id
    if (slot.name === '' && typeof piece.name === 'string') slot.name = this.#nameOf(piece.name)
    const text = textOf(piece.arguments)
    if (slot.text.length + text.length > MAX_ARGUMENTS)
      throw this.#tooMuch(`arguments of more than ${MAX_ARGUMENTS} characters`)
    slot.text += text
    // Without a name it cannot be told yet; what came until then is told with it.
    if (slot.id === undefined) {
      if (slot.name !== '') this.#tell(slot)
    } else if (text !== '') this.#tellArguments(slot, text)
  }

  /** All calls, in the order in which they began. */
  done(): readonly ModelCall[] {
    const calls: ModelCall[] = []
    for (const slot of this.#slots) {
      if (slot.name === '' && slot.text === '' && slot.givenId === undefined) {
        this.#options.warn('odd-reply', 'The reply has a call without name and arguments.')
        continue
      }
      const id = slot.id ?? this.#tell(slot)
      calls.push({ id, name: slot.name, argumentsText: slot.text })
    }
    return calls
  }

  #slotOf(piece: CallPiece): Slot {
    const { index } = piece
    if (piece.isWhole === true) return this.#begin()
    const known = index === undefined ? this.#slots.at(-1) : this.#byIndex.get(index)
    if (known !== undefined && !beginsAnew(known, piece)) return known
    const slot = this.#begin()
    if (index !== undefined) this.#byIndex.set(index, slot)
    return slot
  }

  #begin(): Slot {
    if (this.#slots.length >= MAX_CALLS) throw this.#tooMuch(`more than ${MAX_CALLS} calls`)
    const place = this.#slots.length
    const slot: Slot = { place, givenId: undefined, id: undefined, name: '', text: '' }
    this.#slots.push(slot)
    return slot
  }

  #nameOf(name: string): string {
    if (name.length <= MAX_NAME) return name
    this.#options.warn('odd-reply', `The name of a call was cut to ${MAX_NAME} characters.`)
    return name.slice(0, MAX_NAME)
  }

  #tell(slot: Slot): string {
    const { id, made } = this.#ids.take(slot.givenId)
    slot.id = id
    if (made !== undefined) {
      const why = {
        missing: 'no id',
        twice: 'an id that another call has',
        'too-long': 'too long an id',
      }
      this.#options.warn(
        'made-id',
        `Call ${slot.place + 1} of the reply came with ${why[made]}; it goes by "${id}".`,
      )
    }
    this.#options.onDelta?.({ kind: 'call', index: slot.place, id, name: slot.name })
    if (slot.text !== '') this.#tellArguments(slot, slot.text)
    return id
  }

  #tellArguments(slot: Slot, text: string): void {
    this.#options.onDelta?.({ kind: 'arguments', index: slot.place, text })
  }

  #tooMuch(what: string): ModelError {
    const { provider } = this.#options
    return new ModelError(
      'DP_MODEL_UNREADABLE',
      `The reply of ${provider} was given up: it has ${what}. Ask for less at a time.`,
      { provider, detail: { kind: 'model-too-much' } },
    )
  }
}

/**
 * Whether a piece for a known call is another call. Some servers count all calls as 0 or not at all; others repeat the name
 * with each piece, or give each piece an id of its own: a new call has both, and an id that is not the one before.
 */
function beginsAnew(slot: Slot, { index, id, name }: CallPiece): boolean {
  if (typeof name !== 'string' || name === '' || slot.name === '') return false
  if (isGivenId(id)) return slot.givenId !== undefined && id !== slot.givenId
  return index === undefined && slot.givenId === undefined
}

function isGivenId(id: unknown): id is string | number {
  return (typeof id === 'string' && id !== '') || typeof id === 'number'
}

/** Arguments as text, exactly where they came as text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
