/** The examples of the adapters, run as they stand with the real packages. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { bundleFile } from '../support/bundle.ts'

const root = resolve(import.meta.dirname, '../..')

async function run(name: string): Promise<readonly string[]> {
  const main = await bundleFile(join(root, 'examples', `${name}.ts`))
  try {
    const { stdout, stderr, status } = spawnSync(process.execPath, [main], {
      cwd: root,
      encoding: 'utf8',
      timeout: 50_000,
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout.trimEnd().split('\n')
  } finally {
    rmSync(main, { force: true })
  }
}

it('the AI SDK calls the tools of a host, and is told of a refusal', async () => {
  expect(await run('ai-sdk')).toEqual([
    'greet: Hello, Ada!',
    'calculator__calculator: 161',
    expect.stringMatching(/^weather__weather: PolicyError: weather__weather was not called\./),
    'Done.',
  ])
})

it('LangChain calls the tools of a host, and has failures and refusals as messages', async () => {
  expect(await run('langchain')).toEqual([
    'call_1 success: 161',
    expect.stringMatching(/^call_2 error: Error from tool calculator__calculator: /),
    expect.stringMatching(/^call_3 error: weather__weather was not called\./),
  ])
})
