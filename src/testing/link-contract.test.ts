import { describe, expect, it } from 'vitest'
import type { Clock } from '../base/clock.ts'
import type { Link, LinkPort, Transport } from '../jsonrpc/link.ts'
import { memoryPair } from '../transport/memory.ts'
import { linkContract, type ContractOptions, type TransportPair } from './link-contract.ts'

/** A clock for waits in vain: what is set runs when all else has had its turn, many times over. */
const hasty: Clock = {
  now: () => 0,
  wall: () => 0,
  after(_ms, run) {
    let left = 300
    const turn = (): void => {
      left -= 1
      if (left === 0) run()
      else if (left > 0) setImmediate(turn)
    }
    setImmediate(turn)
    return { cancel: () => void (left = 0) }
  },
}

interface Bend {
  readonly port?: (port: LinkPort) => Partial<LinkPort>
  readonly link?: (link: Link) => Partial<Link>
}

/** Memory with a fault in it, at both ends. */
function bent({ port: bendPort, link: bendLink }: Bend): TransportPair {
  const bend = (inner: Transport): Transport => ({
    name: 'bent',
    async open(port) {
      const link = await inner.open({
        maxMessageBytes: port.maxMessageBytes,
        text: (text, facts) => port.text(text, facts),
        unreadable: (piece) => port.unreadable(piece),
        failed: (id, reason) => port.failed(id, reason),
        note: (note) => port.note(note),
        closed: (reason) => port.closed(reason),
        ...bendPort?.(port),
      })
      const plain: Link = {
        get backlogMessages() {
          return link.backlogMessages
        },
        get backlogBytes() {
          return link.backlogBytes
        },
        write: (outbound) => link.write(outbound),
        drained: () => link.drained(),
        close: () => link.close(),
      }
      return Object.defineProperties(
        plain,
        Object.getOwnPropertyDescriptors(bendLink?.(link) ?? {}),
      )
    },
  })
  const [near, far] = memoryPair()
  return { near: bend(near), far: bend(far) }
}

/** What is broken, up to the breach that is looked for. */
async function breachesOf(
  bend: Bend,
  wanted?: RegExp,
  options: ContractOptions = {},
): Promise<readonly string[]> {
  const breaches: string[] = []
  for (const { name, run } of linkContract(() => bent(bend), { clock: hasty, ...options })) {
    await run().catch((error: unknown) => breaches.push(`${name}: ${String(error)}`))
    if (wanted !== undefined && breaches.some((breach) => wanted.test(breach))) break
  }
  return breaches
}

describe('the contract of links', () => {
  it('is kept by a transport without a fault', async () => {
    expect(await breachesOf({})).toEqual([])
  })

  it.each<[string, Bend, RegExp]>([
    [
      'changes texts',
      { port: (port) => ({ text: (text) => port.text(text.trim().replace('\t', ' ')) }) },
      /^carries every text exactly, from near to far: .*text 2 should be .* and is /,
    ],
    [
      'loses one',
      {
        port: (port) => ({
          text: (text) => (text.startsWith('[77,') ? undefined : port.text(text)),
        }),
      },
      /^keeps the order, from far to near: .*in vain until 2000 texts have come/,
    ],
    [
      'turns the order around',
      {
        link: (link) => {
          let kept: string | undefined
          return {
            write({ text }) {
              const first = kept
              kept = first === undefined ? text : undefined
              const receipt = link.write({ text: first === undefined ? '[]' : text })
              return first === undefined ? receipt : link.write({ text: first })
            },
          }
        },
      },
      /^keeps the order, from near to far: .*text 0 should be /,
    ],
    [
      'hands over what is too long',
      { port: (port) => ({ unreadable: () => void port.text('x') }) },
      /^tells of a message that is too long, and goes on, from near to far: /,
    ],
    [
      'reads on although the reader is full',
      { port: (port) => ({ text: (text) => void port.text(text) }) },
      /^stops reading while the reader is full, from near to far: .* characters came while/,
    ],
    [
      'never has sent anything',
      { link: (link) => ({ write: (outbound) => ({ ...link.write(outbound), sent: 'no' }) }) },
      /^tells by the receipt that a message has left, from near to far: .*10 receipts say "no"/,
    ],
    [
      'is never drained',
      { link: () => ({ drained: () => new Promise(() => {}) }) },
      /^settles drained\(\) at once .*: .*in vain until drained\(\) has settled with nothing/,
    ],
    [
      'is drained too early',
      { link: () => ({ drained: () => Promise.resolve() }) },
      /^settles drained\(\) at once .*: .*drained\(\) settled while messages/,
    ],
    [
      'tells the end twice',
      {
        port: (port) => ({
          closed(reason) {
            port.closed(reason)
            port.closed(reason)
          },
        }),
      },
      /^carries every text exactly, from near to far: .*port\.closed was called 2 times/,
    ],
    [
      'does not tell the end',
      { port: () => ({ closed: () => undefined }) },
      /^hands over what was written before it was closed, .*in vain until the other end has been/,
    ],
    [
      'tells something after the end',
      {
        port: (port) => ({
          closed(reason) {
            port.closed(reason)
            port.note({ kind: 'stderr', text: 'bye' })
          },
        }),
      },
      /^says nothing after the end, .*after port\.closed came note stderr/,
    ],
    [
      'throws when it is closed',
      {
        link(link) {
          let closed = false
          return {
            write(outbound) {
              if (closed) throw new Error('closed')
              return link.write(outbound)
            },
            close() {
              closed = true
              return link.close()
            },
          }
        },
      },
      /^writes nothing after it was closed, .*write\(\) threw after the end: Error: closed/,
    ],
    [
      'hangs on a second close',
      {
        link(link) {
          let closed = false
          return {
            close() {
              if (closed) return new Promise(() => {})
              closed = true
              return link.close()
            },
          }
        },
      },
      /^may be closed late and often, .*in vain until close\(\) has settled/,
    ],
  ])('is broken by a transport that %s', async (_, bend, breach) => {
    expect(await breachesOf(bend, breach)).toContainEqual(expect.stringMatching(breach))
  })

  it('is broken by a transport that goes on where it should end, and by one that does not say why', async () => {
    const said = await breachesOf({}, undefined, { afterTooLong: 'ends' })
    expect(said).toEqual([
      expect.stringMatching(
        /^ends with a message that is too long, .*near to far: .*in vain until/,
      ),
      expect.stringMatching(
        /^ends with a message that is too long, .*far to near: .*in vain until/,
      ),
    ])
    const ending: Bend = { port: (port) => ({ unreadable: () => port.closed(new Error('no')) }) }
    const breach = /ended it with the reason Error: no/
    expect(await breachesOf(ending, breach, { afterTooLong: 'ends' })).toContainEqual(
      expect.stringMatching(breach),
    )
  })

  it('says which transport cannot be opened, and puts the rest away', async () => {
    let disposed = 0
    const [check] = linkContract(() => {
      const near: Transport = { name: 'none', open: () => Promise.reject(new Error('no way')) }
      const dispose = (): Promise<void> => Promise.resolve(void (disposed += 1))
      return { near, far: memoryPair()[0], dispose }
    })
    await expect(check?.run()).rejects.toThrow('no way')
    expect(disposed).toBe(1)
  })
})
