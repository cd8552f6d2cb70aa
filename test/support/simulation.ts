/**
 * One seeded run of a client and a server in a world of its own: time, delays and faults are drawn from the seed.
 *
 * Invariants: every call ends exactly once, with its own answer or a typed error; nothing waits at the end; the same
 * seed gives the same trace.
 */

import type { Clock } from '../../src/base/clock.ts'
import { PilotError } from '../../src/base/errors.ts'
import { connect } from '../../src/client/connect.ts'
import type { Client } from '../../src/client/client.ts'
import type { LinkPort, Transport } from '../../src/jsonrpc/link.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { REVISIONS } from '../../src/protocol/revision.ts'
import { loadSchemaEngine } from '../../src/schema/check.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool, type ToolDefinition } from '../../src/tools/define.ts'
import { resultToText } from '../../src/tools/content.ts'
import { memoryWire } from '../../src/transport/memory.ts'
import { dice, type Dice } from './seeded.ts'

export interface Simulated {
  readonly seed: number
  /** Hash of all that crossed the wire, with its times. */
  readonly trace: string
  readonly calls: number
  /** How calls ended: `ok` or the code of the error. */
  readonly ends: ReadonlyMap<string, number>
  /** Broken invariants; empty when all is well. */
  readonly violations: readonly string[]
}

/** Virtual time: what is due runs in order, and promises settle in between. */
class World implements Clock {
  #now = 0
  #order = 0
  readonly #due: { at: number; order: number; run: () => void }[] = []

  now(): number {
    return this.#now
  }

  wall(): number {
    return this.#now
  }

  after(ms: number, run: () => void): { cancel(): void } {
    const entry = { at: this.#now + Math.max(0, ms), order: (this.#order += 1), run }
    this.#due.push(entry)
    return {
      cancel: () => {
        const at = this.#due.indexOf(entry)
        if (at >= 0) this.#due.splice(at, 1)
      },
    }
  }

  /** Runs until nothing is due, or time is up. */
  async run(untilMs: number): Promise<void> {
    for (;;) {
      await new Promise(setImmediate)
      let next = this.#due[0]
      for (const entry of this.#due) {
        if (
          next === undefined ||
          entry.at < next.at ||
          (entry.at === next.at && entry.order < next.order)
        )
          next = entry
      }
      if (next === undefined || next.at > untilMs) return
      this.#due.splice(this.#due.indexOf(next), 1)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
  }
}

const GARBAGE = [
  '',
  'banner',
  '{"jsonrpc":"2.0"',
  '[]',
  '{"jsonrpc":"2.0","id":99999,"result":{}}',
  '{"jsonrpc":"2.0","method":"x"}',
  'null',
]

/** Doubles, drops and invents inbound messages. */
function faulty(inner: Transport, luck: Dice, rate: number): Transport {
  return {
    name: inner.name,
    open: (port, signal) => {
      const bent: LinkPort = {
        maxMessageBytes: port.maxMessageBytes,
        unreadable: (piece) => port.unreadable(piece),
        failed: (id, reason) => port.failed(id, reason),
        note: (note) => port.note(note),
        closed: (reason) => port.closed(reason),
        text: (text, facts) => {
          if (luck.chance(rate)) void port.text(luck.pick(GARBAGE))
          if (luck.chance(rate)) return undefined
          if (luck.chance(rate)) void port.text(text, facts)
          return port.text(text, facts)
        },
      }
      return inner.open(bent, signal)
    },
  }
}

function workTool(world: World, luck: Dice): ToolDefinition {
  return defineTool<{ ms: number; nonce: string }>({
    name: 'work',
    input: {
      type: 'object',
      properties: { ms: { type: 'number' }, nonce: { type: 'string' } },
      required: ['ms', 'nonce'],
    },
    async run({ ms, nonce }, ctx) {
      const steps = luck.between(0, 3)
      for (let step = 1; step <= steps; step += 1) {
        await new Promise<void>((resolve) => void world.after(ms / (steps + 1), resolve))
        ctx.progress({ progress: step })
      }
      await new Promise<void>((resolve) => void world.after(ms / (steps + 1), resolve))
      if (luck.chance(0.1)) throw new Error('a fault of the tool')
      return nonce
    },
  })
}

/** Runs one seed to its end. */
export async function simulate(seed: number): Promise<Simulated> {
  // Loaded once and before: what takes real time would not be the same twice.
  await loadSchemaEngine()
  // What is loaded late takes real time, and time here is not real.
  await Promise.all([import('../../src/server/serving.ts'), import('../../src/client/rounds.ts')])
  const luck = dice(seed)
  const world = new World()
  const run = new Run(world, luck)
  const wire = memoryWire({ schedule: (deliver) => void world.after(luck.between(0, 40), deliver) })
  const revision = luck.pick(REVISIONS)
  const server = new Server({
    name: 'sim',
    version: '1',
    tools: [workTool(world, luck)],
    revisions: [revision],
    clock: world,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => luck.between(0, 255)),
    maxActive: luck.pick([2, 8, 1024]),
  })
  const faults = luck.chance(0.5) ? luck.pick([0.01, 0.05]) : 0
  const serving = server.accept(faulty(wire.second, luck, faults)).catch(() => undefined)
  const connecting = connect(faulty(wire.first, luck, faults), {
    revisions: [revision],
    clock: world,
    wire: (event) => run.trace(event),
    maxPending: luck.pick([2, 8, 1024]),
  })
  void connecting.then(
    (client) => run.drive(client),
    (error: unknown) => run.ended('connect', error),
  )
  if (luck.chance(0.3)) world.after(luck.between(0, 5000), () => wire.cut())
  if (luck.chance(0.1)) world.after(luck.between(0, 5000), () => void server.close())
  await world.run(30 * 60_000)
  wire.cut()
  await world.run(31 * 60_000)
  await serving
  return run.result(seed)
}

/** The calls of one run and what became of them. */
class Run {
  readonly #world: World
  readonly #luck: Dice
  readonly #ends = new Map<string, number>()
  readonly #violations: string[] = []
  readonly #open = new Set<string>()
  #calls = 0
  #hash = 0x811c9dc5

  constructor(world: World, luck: Dice) {
    this.#world = world
    this.#luck = luck
  }

  trace(event: WireEvent): void {
    const what =
      event.type === 'message'
        ? `${event.direction} ${event.text}`
        : event.type === 'note'
          ? event.note.kind
          : event.type
    for (const character of `${event.at} ${what}`) {
      this.#hash = Math.imul(this.#hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
    }
  }

  drive(client: Client): void {
    const calls = this.#luck.between(1, 12)
    for (let count = 0; count < calls; count += 1) {
      this.#world.after(this.#luck.between(0, 3000), () => void this.#call(client))
    }
    if (this.#luck.chance(0.2))
      this.#world.after(this.#luck.between(0, 6000), () => void client.close())
  }

  async #call(client: Client): Promise<void> {
    this.#calls += 1
    const nonce = `n${this.#calls}`
    this.#open.add(nonce)
    const controller = new AbortController()
    if (this.#luck.chance(0.2))
      this.#world.after(this.#luck.between(0, 2000), () => controller.abort('enough'))
    const timeoutMs = this.#luck.pick([50, 500, 60_000])
    try {
      const result = await client.callTool(
        'work',
        { ms: this.#luck.between(0, 1500), nonce },
        { signal: controller.signal, timeoutMs },
      )
      const text = resultToText(result)
      if (result.isError !== true && text !== nonce)
        this.#violations.push(`${nonce} got the answer ${text}`)
      this.#end(nonce, 'ok')
    } catch (error) {
      this.ended(nonce, error)
    }
  }

  ended(nonce: string, error: unknown): void {
    if (!(error instanceof PilotError))
      this.#violations.push(`${nonce} ended with an untyped error: ${String(error)}`)
    this.#end(nonce, error instanceof PilotError ? error.code : 'untyped')
  }

  #end(nonce: string, how: string): void {
    if (!this.#open.delete(nonce) && nonce !== 'connect')
      this.#violations.push(`${nonce} ended twice`)
    this.#ends.set(how, (this.#ends.get(how) ?? 0) + 1)
  }

  result(seed: number): Simulated {
    for (const nonce of this.#open) this.#violations.push(`${nonce} never ended`)
    return {
      seed,
      trace: this.#hash.toString(16),
      calls: this.#calls,
      ends: this.#ends,
      violations: this.#violations,
    }
  }
}
