import { describe, expect, it } from 'vitest'
import type { ServerState, ServerStatus } from '../host/state.ts'
import { hostEn } from './messages/host-en.ts'
import { serverNews } from './server-news.ts'

const at = (state: ServerState, key = 'fs'): ServerStatus => ({
  key,
  state,
  why: `why ${state}`,
  whyKind: 'crashed',
  since: 0,
  crashes: 0,
  waiting: 0,
  running: 0,
})

function toldOf(...states: readonly ServerStatus[]): readonly string[] {
  const told: string[] = []
  const hear = serverNews(hostEn, (text) => told.push(text))
  for (const status of states) hear(status)
  return told
}

describe('news of servers', () => {
  it('are that one was lost and that it is back, once each', () => {
    const told = toldOf(
      at('connecting'),
      at('ready'),
      at('restarting'),
      at('connecting'),
      at('restarting'),
      at('ready'),
      at('degraded'),
      at('failed'),
    )
    expect(told).toHaveLength(3)
    expect(told[0]).toMatch(/^fs was lost \(.*\): why restarting/)
    expect(told[1]).toBe('fs is back.')
    expect(told[2]).toMatch(/^fs was lost \(.*\): why failed/)
  })

  it('are none of a server that never came, was started anew or is switched off', () => {
    expect(toldOf(at('connecting'), at('restarting'), at('failed'))).toEqual([])
    expect(toldOf(at('ready'), at('connecting'), at('ready'))).toEqual([])
    expect(toldOf(at('ready'), at('disabled'))).toEqual([])
  })

  it('are of each server by itself', () => {
    expect(toldOf(at('ready', 'a'), at('ready', 'b'), at('failed', 'a'))).toHaveLength(1)
  })
})
