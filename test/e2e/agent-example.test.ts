/** The example of the agent, run as it stands against a provider that plays a part. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { bundleFile } from '../support/bundle.ts'
import { finished, type CliRun } from '../support/cli.ts'
import { PlayedProvider } from '../support/played-provider.ts'

const root = resolve(import.meta.dirname, '../..')

let provider: PlayedProvider | undefined
afterEach(() => provider?.close())

async function example(env: Readonly<Record<string, string>>): Promise<CliRun> {
  const main = await bundleFile(join(root, 'examples/agent.ts'))
  const { HOME = '', PATH = '' } = process.env
  try {
    const child = spawn(process.execPath, [main], { cwd: root, env: { HOME, PATH, ...env } })
    child.stdin.end()
    return await finished(child)
  } finally {
    rmSync(main, { force: true })
  }
}

it('a short program lets a model call the tools of a host, and tells it of a refusal', async () => {
  provider = await PlayedProvider.open([
    {
      calls: [
        { name: 'calculator__calculator', args: { expr: '23*7' } },
        { name: 'weather__weather', args: { city: 'Beijing' } },
      ],
    },
    { text: '23*7 is 161; of the weather I know nothing.' },
  ])
  const env = { DEEP_PILOT_BASE_URL: provider.url, DEEP_PILOT_MODEL: 'played-1' }
  const { stdout, stderr, code } = await example(env)
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  // Both tools say that they only read, and nobody trusts their servers: one after the other.
  expect(stdout.trimEnd().split('\n')).toEqual([
    "t1c1 calculator__calculator { expr: '23*7' }",
    't1c1 161',
    "t1c2 weather__weather { city: 'Beijing' }",
    expect.stringMatching(
      /^t1c2 weather__weather was not called\. .*needs a yes: no rule is about/,
    ),
    'done: 23*7 is 161; of the weather I know nothing.',
  ])
  expect(provider.requests[1]?.messages.slice(-2)).toMatchObject([
    { role: 'tool', content: '161' },
    { role: 'tool', content: expect.stringContaining('was not called') },
  ])
})

it('a model that is not reached is told with its address, and is a failure', async () => {
  provider = await PlayedProvider.open([])
  const { url } = provider
  await provider.close()
  provider = undefined
  const env = { DEEP_PILOT_BASE_URL: url, DEEP_PILOT_MODEL: 'played-1' }
  const { stdout, stderr, code } = await example(env)
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toMatch(/^\S+ was not reached[^\n]*\n$/)
})

it('without a key it says in one line which variable is missing, before any server is started', async () => {
  const { stderr, code } = await example({})
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^There is no key for deepseek\. Put it into the variable DEEPSEEK_API_KEY[^\n]*\n$/,
  )
})
