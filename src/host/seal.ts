/**
 * The last look at what leaves for a server: a `tools/call` or `resources/read` passes only while a seal is open that names its tool
 * and the exact text of its arguments. It stands directly before the link, behind every retry and every round of questions, so that
 * no way around the gate leads to a wire.
 */

import { PolicyError } from '../base/errors.ts'
import { isJsonObject } from '../base/json.ts'
import type { Link, LinkPort, LinkTraits, Outbound, Receipt, Transport } from '../jsonrpc/link.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import type { Facts } from '../jsonrpc/wire.ts'
import type { JudgedArguments } from './judged-arguments.ts'
import { actOf, RESOURCES_READ } from './resource-reading.ts'

/** One call that may be sent, as often as its rounds and second tries need, until it is over. */
export interface Seal {
  /** How often the arguments have left. */
  readonly sends: number
  /** From now on nothing leaves by it. */
  close(): void
}

export interface SealOptions {
  readonly server: string
  readonly tool: string
  readonly judged: JudgedArguments
  /** Looked at before each sending; throws when the tool is no longer the one that was judged. */
  readonly check: () => void
}

interface OpenSeal extends SealOptions {
  sends: number
}

export class Seals {
  readonly #open = new Map<string, Set<OpenSeal>>()

  /** Close it when the call is over, however it ends. */
  open(options: SealOptions): Seal {
    const seal: OpenSeal = { sends: 0, ...options }
    const { server } = options
    const seals = this.#open.get(server) ?? new Set()
    this.#open.set(server, seals.add(seal))
    return {
      get sends() {
        return seal.sends
      },
      close: () => {
        seals.delete(seal)
        if (seals.size === 0 && this.#open.get(server) === seals) this.#open.delete(server)
      },
    }
  }

  /** The same transport, its fallback too, with the look before every write. */
  guard(server: string, transport: Transport): Transport {
    const { name, startTimeoutMs, fallback, reopens } = transport
    return {
      name,
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(fallback !== undefined && { fallback: this.guard(server, fallback) }),
      ...(reopens !== undefined && { reopens }),
      open: async (port, signal) =>
        new SealedLink(await transport.open(port, signal), port, (text) =>
          this.#pass(server, text),
        ),
    }
  }

  /** Throws for a call that nobody judged, or that is not what was judged. */
  #pass(server: string, text: string): void {
    if (!text.includes(CALL) && !text.includes(READ)) return
    const message: unknown = JSON.parse(text)
    for (const one of Array.isArray(message) ? message : [message]) this.#passOne(server, one)
  }

  #passOne(server: string, message: unknown): void {
    const act = isJsonObject(message) ? actOf(message) : undefined
    if (act === undefined) return
    const { method, tool: name, args } = act
    const text = JSON.stringify(args)
    const seals = [...(this.#open.get(server) ?? [])].filter(({ tool }) => tool === name)
    const seal = seals.find(({ judged }) => judged.text === text)
    if (seal === undefined) throw refusal(server, method, seals[0]?.judged.hash)
    seal.check()
    seal.sends += 1
  }
}

/** As the methods are written in a message; inside of a string the quotes are escaped. */
const CALL = '"method":"tools/call"'
const READ = `"method":"${RESOURCES_READ}"`

function refusal(server: string, method: string, argumentsHash: string | undefined): PolicyError {
  return new PolicyError(
    'DP_POLICY_ALTERED',
    argumentsHash === undefined
      ? `A ${method} to "${server}" was about to leave that nobody judged. It was not sent: call tools through the host.`
      : `A ${method} to "${server}" was about to leave with other arguments than those that were judged. It was not sent.`,
    {
      server,
      method,
      argumentsHash,
      detail: { kind: argumentsHash === undefined ? 'unjudged' : 'altered' },
    },
  )
}

class SealedLink implements Link {
  readonly #link: Link
  readonly #port: LinkPort
  readonly #pass: (text: string) => void

  constructor(link: Link, port: LinkPort, pass: (text: string) => void) {
    this.#link = link
    this.#port = port
    this.#pass = pass
  }

  get perRequest(): boolean {
    return this.#link.perRequest === true
  }

  get backlogMessages(): number {
    return this.#link.backlogMessages
  }

  get backlogBytes(): number {
    return this.#link.backlogBytes
  }

  /** Throws for what may not leave: whoever sends a request is prepared for that. */
  write(outbound: Outbound): Receipt {
    try {
      this.#pass(outbound.text)
    } catch (error) {
      // The tap has shown the message already.
      const { chain } = outbound
      this.#port.note({ kind: 'refused', direction: 'out', ...(chain !== undefined && { chain }) })
      throw error
    }
    return this.#link.write(outbound)
  }

  drained(): Promise<void> {
    return this.#link.drained()
  }

  settle(traits: LinkTraits): void {
    this.#link.settle?.(traits)
  }

  abandon(id: RequestId): boolean {
    return this.#link.abandon?.(id) ?? false
  }

  unanswered(id: RequestId, facts: Facts | undefined): void {
    this.#link.unanswered?.(id, facts)
  }

  pauseStream(facts: Facts | undefined, retryMs: number): boolean {
    return this.#link.pauseStream?.(facts, retryMs) ?? false
  }

  close(): Promise<void> {
    return this.#link.close()
  }
}
