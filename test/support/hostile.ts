/**
 * The far end of a wire in a test's own hands, and messages with one member turned into something else. Whatever
 * the near end writes is handed to the test; whatever the test says arrives as it stands, message or not.
 */
import type { Link, LinkPort, Transport, Unreadable } from '../../src/jsonrpc/link.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'

export interface RawEnd {
  readonly transport: Transport
  /** Everything the near end wrote, in order, parsed. Batches stay arrays. */
  readonly heard: JsonValue[]
  /** Says a message, or a text as it stands. */
  say(message: JsonValue | string): void | Promise<void>
  /** Says bytes that could not become text. */
  unreadable(piece: Unreadable): void
  /** The first heard object that fits, now or later. */
  find(fits: (message: JsonObject) => boolean): Promise<JsonObject>
  /** The far end goes. */
  end(reason?: Error): void
  readonly closed: boolean
}

/** `react` is called with each object that the near end writes, one turn later. */
export function rawEnd(react: (message: JsonObject, end: RawEnd) => void = () => {}): RawEnd {
  let port: LinkPort | undefined
  let closed = false
  let waiting: { fits: (message: JsonObject) => boolean; found: (message: JsonObject) => void }[] =
    []
  const heard: JsonValue[] = []
  /** Said before the near end was there, as into a pipe that nobody reads yet. */
  const early: string[] = []
  const take = (text: string): void => {
    const message = JSON.parse(text) as JsonValue // the near end wrote it
    heard.push(message)
    if (!isJsonObject(message)) return
    const [fitting, others] = split(waiting, ({ fits }) => fits(message))
    waiting = others
    for (const { found } of fitting) found(message)
    react(message, end)
  }
  const link: Link = {
    backlogMessages: 0,
    backlogBytes: 0,
    write({ text }) {
      queueMicrotask(() => take(text))
      return { sent: 'yes' }
    },
    drained: () => Promise.resolve(),
    close: () => {
      closed = true
      port?.closed()
      return Promise.resolve()
    },
  }
  const end: RawEnd = {
    transport: {
      name: 'raw',
      open: (opened) => {
        port = opened
        // Not now: nothing may arrive before the near end holds its link.
        queueMicrotask(() =>
          queueMicrotask(() => early.splice(0).forEach((text) => void opened.text(text))),
        )
        return Promise.resolve(link)
      },
    },
    heard,
    say(message) {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      if (port !== undefined && early.length === 0) return port.text(text)
      early.push(text)
      return undefined
    },
    unreadable: (piece) => void port?.unreadable(piece),
    find(fits) {
      const known = heard.filter(isJsonObject).find(fits)
      if (known !== undefined) return Promise.resolve(known)
      return new Promise((found) => void waiting.push({ fits, found }))
    },
    end: (reason) => port?.closed(reason),
    get closed() {
      return closed
    },
  }
  return end
}

function split<Item>(items: readonly Item[], fits: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))]
}

/** What a member may be turned into; `undefined` takes it away. */
export const ODD_VALUES: readonly (JsonValue | undefined)[] = [
  undefined,
  null,
  0,
  '',
  -1,
  1e308,
  1.5,
  2 ** 53,
  true,
  false,
  [],
  {},
  [[[null]]],
  { constructor: {}, toString: 1, length: -1 },
  'x'.repeat(1 << 18),
]

/** A copy of `message` with the member at `path` turned into `value`: names and indexes, or the same with slashes between. */
export function turned(
  message: JsonObject,
  path: string | readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const copy = structuredClone(message)
  const names = typeof path === 'string' ? path.split('/') : [...path]
  const last = names.pop() ?? ''
  let at: object = copy
  for (const name of names) {
    const next: unknown = Reflect.get(at, name)
    if (typeof next !== 'object' || next === null)
      throw new Error(`There is no ${names.join(' ')} to turn.`)
    at = next
  }
  if (value === undefined) Reflect.deleteProperty(at, last)
  else Reflect.set(at, last, value)
  return copy
}

/** JSON text of something nested `depth` levels deep, as arrays, objects or both by turns. */
export function nestedText(depth: number, kind: 'arrays' | 'objects' | 'mixed'): string {
  const open = { arrays: '[', objects: '{"a":', mixed: '[{"a":' }[kind]
  const close = { arrays: ']', objects: '}', mixed: '}]' }[kind]
  if (kind !== 'mixed')
    return `${open.repeat(depth - 1)}${kind === 'arrays' ? '[]' : '{}'}${close.repeat(depth - 1)}`
  const pairs = Math.floor((depth - 1) / 2)
  const core = depth % 2 === 1 ? '[]' : '[{}]'
  return `${open.repeat(pairs)}${core}${close.repeat(pairs)}`
}

/** One pass through the event loop: everything that was due has happened. */
export const turn = (): Promise<void> => new Promise(setImmediate)
