import { describe, expect, it } from 'vitest'
import { torture, type Call, type TortureResult } from '../../../test/support/stdio/torture.ts'

/** Every N until the life goes by without a failure. */
async function tortureAll(way: 'echo' | 'stubborn'): Promise<readonly TortureResult[]> {
  const results: TortureResult[] = []
  for (let nth = 1; nth < 60; nth += 1) {
    const result = await torture(nth, way)
    if (result.failed === undefined) return results
    results.push(result)
  }
  throw new Error('the life of a link never goes by without a failure')
}

/** The stubborn one ignores signals, which Windows does not have. */
const posix = process.platform !== 'win32'

describe.runIf(posix)('a system whose Nth call fails', () => {
  it.each(['echo', 'stubborn'] as const)(
    'gives a typed error and leaves nothing of a server that is %s, for every N',
    async (way) => {
      const uncaught: unknown[] = []
      const listen = (error: unknown): void => void uncaught.push(error)
      process.on('uncaughtException', listen)
      process.on('unhandledRejection', listen)
      try {
        const results = await tortureAll(way)
        expect(results.flatMap(({ faults }) => faults)).toEqual([])
        const calls = new Set<Call | undefined>(results.map(({ failed }) => failed))
        expect(calls).toEqual(
          new Set(
            way === 'echo'
              ? ['start', 'write', 'read', 'look']
              : ['start', 'write', 'read', 'signal', 'look'],
          ),
        )
        expect(uncaught).toEqual([])
      } finally {
        process.off('uncaughtException', listen)
        process.off('unhandledRejection', listen)
      }
    },
    60_000,
  )
})
