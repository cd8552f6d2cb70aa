import { describe, expect, it } from 'vitest'
import { readSources } from '../../test/support/sources.ts'

describe('the one way to a tool', () => {
  const files = readSources('src').filter(({ isTest }) => !isTest)
  const inLayers = (...layers: readonly string[]) =>
    files.filter(({ path }) => layers.some((layer) => path.startsWith(`src/${layer}/`)))
  const users = (sources: typeof files, pattern: RegExp): string[] =>
    sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

  it('is the gate: no other file of the host sends a call to an attached server', () => {
    const holders = inLayers('host', 'agent', 'gateway', 'inspector').filter(({ specifiers }) =>
      specifiers.some((name) => /\/(attached|registry)\.ts$/.test(name)),
    )
    expect(holders.length).toBeGreaterThan(0)
    const senders = users(holders, /\.send\(/).filter((path) => path !== 'src/host/registry.ts')
    expect(senders).toEqual(['src/host/gate.ts'])
  })

  it('is reached by nobody past the host: no layer above it knows the registry, the seals or the gate', () => {
    const above = inLayers('agent', 'gateway', 'inspector', 'servers', 'testing', 'cli')
    const past = above.filter(({ specifiers }) =>
      specifiers.some((name) =>
        /\/host\/(attached|registry|calls|session|opening|gate|judge|seal|host-parts)\.ts$/.test(
          name,
        ),
      ),
    )
    expect(past.map(({ path }) => path)).toEqual([])
  })

  it('begins in one file: only the calls of an attached server use a client', () => {
    const host = inLayers('host', 'gateway', 'inspector')
    expect(users(host, /\.callTool\(/)).toEqual(['src/host/calls.ts'])
    expect(users(host, /\.(?:readResource|request|raw)\(/)).toEqual(['src/host/calls.ts'])
    const all = inLayers('host', 'agent', 'gateway', 'inspector')
    expect(users(all, /['"`]tools\/call['"`]\s*,\s*(?:\{|params)/)).toEqual([])
  })

  it('is what the agent goes: it calls the tools of a host, and knows no client', () => {
    const agent = inLayers('agent')
    expect(users(agent, /\bhost\.callTool\(/).length).toBeGreaterThan(0)
    expect(users(agent, /(?<!\bhost)\.callTool\(/)).toEqual([])
    const clients = agent.filter(({ specifiers }) =>
      specifiers.some((name) => /\/client\/(?:client|connect|call|request)\.ts$/.test(name)),
    )
    expect(clients.map(({ path }) => path)).toEqual([])
  })

  it('leads through a seal: the host gives every transport to it', () => {
    expect(users(inLayers('host'), /seals\.guard\(/)).toEqual(['src/host/host.ts'])
    expect(users(inLayers('host'), /seals\.open\(/)).toEqual(['src/host/gate.ts'])
    expect(users(inLayers('host'), /\bconnect\(/)).toEqual(['src/host/opening.ts'])
  })

  it('opens by the door alone: what is exported sends nothing past it', () => {
    const door = files.find(({ path }) => path === 'src/host/index.ts')
    const modules = door?.specifiers.filter((name) =>
      /^\.\/(attached|gate|seal|judge|calls)/.test(name),
    )
    expect(modules).toEqual([])
  })
})
