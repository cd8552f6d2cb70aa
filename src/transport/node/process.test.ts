import { describe, expect, it } from 'vitest'
import { childEnvironment, startTimeoutFor, windowsVariable } from './process.ts'

describe('the environment of a server', () => {
  const parent = {
    HOME: '/home/ada',
    PATH: '/bin',
    LANG: 'en',
    LC_ALL: 'C',
    TMPDIR: '/tmp',
    AWS_SECRET_ACCESS_KEY: 'canary',
    NODE_OPTIONS: '--require=/tmp/x.js',
    LD_PRELOAD: '/tmp/x.so',
    SHELL: '() { :; }; echo canary',
    USER: undefined,
  }

  it('has the few harmless variables and nothing else', () => {
    expect(childEnvironment(parent, {}, 'linux')).toEqual({
      HOME: '/home/ada',
      PATH: '/bin',
      LANG: 'en',
      LC_ALL: 'C',
      TMPDIR: '/tmp',
    })
  })

  it('has what its entry names, which wins, and lacks what it takes away', () => {
    const env = childEnvironment(parent, { PATH: '/opt', KEY: 'v', LANG: undefined }, 'darwin')
    expect(env).toEqual({ HOME: '/home/ada', PATH: '/opt', LC_ALL: 'C', TMPDIR: '/tmp', KEY: 'v' })
  })

  it('knows names on Windows whatever their case, and keeps one spelling', () => {
    const windows = { Path: 'C:\\a', SystemRoot: 'C:\\Windows', Secret: 'canary', TEMP: 'C:\\t' }
    expect(childEnvironment(windows, { PATH: 'C:\\b' }, 'win32')).toEqual({
      PATH: 'C:\\b',
      SystemRoot: 'C:\\Windows',
      TEMP: 'C:\\t',
    })
    expect(windowsVariable(windows, 'PATH')).toBe('C:\\a')
  })

  it('treats the name of a prototype as a name', () => {
    const own = Object.fromEntries([['__proto__', 'x']])
    const env = childEnvironment({}, own, 'linux')
    expect(Object.entries(env)).toEqual([['__proto__', 'x']])
    expect(Object.getPrototypeOf(env)).toBe(Object.prototype)
  })
})

describe('the time to start', () => {
  it.each([
    ['npx', []],
    ['/usr/bin/npx', ['-y', 'x']],
    ['C:\\nodejs\\npx.cmd', []],
    ['uvx', ['tool']],
    ['npm', ['--silent', 'exec', 'x']],
    ['pnpm', ['dlx', 'x']],
    ['docker', ['run', '-i', 'x']],
  ])('is two minutes for %s %j, which may download first', (command, args) => {
    expect(startTimeoutFor(command, args)).toBe(120_000)
  })

  it.each([
    ['node', ['npx']],
    ['npm', ['start']],
    ['docker', ['exec', 'run']],
    ['my-npx', []],
    ['', []],
  ])('is thirty seconds for %s %j', (command, args) => {
    expect(startTimeoutFor(command, args)).toBe(30_000)
  })
})
