/** Every transport there is, held to the contract that a transport of anybody's own is held to. */
import { describe, expect, it, vi } from 'vitest'
import { linkContract, type ContractCheck } from '../../src/testing/link-contract.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { unixPair, webSocketPair } from '../support/sockets/pairs.ts'
import { bridgedPair } from '../support/stdio/bridged-pair.ts'

// Each check over stdio starts a process, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const titled = (
  checks: readonly ContractCheck[],
): readonly (readonly [string, ContractCheck['run']])[] =>
  checks.map(({ name, run }) => [name, run])

describe('memory', () => {
  const checks = linkContract(() => {
    const [near, far] = memoryPair()
    return { near, far }
  })
  it.each(titled(checks))('%s', async (_, run) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

describe('stdio', () => {
  it.each(titled(linkContract(bridgedPair)))('%s', async (_, run) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

describe('unix socket', () => {
  it.each(titled(linkContract(unixPair)))('%s', async (_, run) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

describe('websocket', () => {
  const checks = linkContract(webSocketPair, { afterTooLong: 'ends' })
  it.each(titled(checks))('%s', async (_, run) => {
    await expect(run()).resolves.toBeUndefined()
  })
})
