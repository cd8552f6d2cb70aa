/**
 * The example of a host, run as it stands: both official servers of the article, two of ours and a native tool behind one gate.
 * What it prints is what the guide shows. `mcp-server-fetch` comes from another registry and may not be here.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleFile } from '../support/bundle.ts'

const root = resolve(import.meta.dirname, '../..')
const peer = join(root, 'node_modules/.cache/deep-pilot/interop/mcp-server-fetch/venv')
const python = join(peer, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
const hasFetch = existsSync(python)
if (!hasFetch)
  console.log(
    'There is no mcp-server-fetch: its half of the host example is left out. "npm run interop -- --only mcp-server-fetch" brings it.',
  )

let main: string
beforeAll(async () => {
  main = await bundleFile(join(root, 'examples/many-servers.ts'))
})
afterAll(() => rmSync(main, { force: true }))

function run(fetchPython: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main], {
    cwd: root,
    encoding: 'utf8',
    timeout: 50_000,
    env: { ...process.env, FETCH_PYTHON: fetchPython },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

/** What the guide says it prints. */
function shown(): readonly string[] {
  const guide = readFileSync(join(root, 'docs/guide/en/many-servers.md'), 'utf8')
  return /^```text\n([^]*?)\n```$/m.exec(guide)?.[1]?.split('\n') ?? []
}

it.runIf(hasFetch)('prints what the guide shows, with both official servers', () => {
  const printed = run(python)
  expect(printed).toContain('  fetch__fetch (fetch)')
  expect(printed).toEqual(shown())
})

it('goes on without the server that cannot be started', () => {
  const printed = run(join(root, 'no-such-python'))
  expect(printed).toContain('  fetch: failed')
  const others = printed.slice(
    printed.indexOf('The calls:'),
    printed.indexOf('The weather is killed:'),
  )
  // Nothing of a stranger was read, so that nobody is asked about the weather of the second city.
  const same = shown().slice(
    shown().indexOf('The calls:'),
    shown().indexOf('The weather is killed:'),
  )
  const left = same.filter((line) => !/fetch|Ignore the user|person, flow/.test(line))
  expect(others.filter((line) => !left.includes(line))).toEqual([])
  expect(printed.filter((line) => line === '    161')).toHaveLength(1)
  expect(printed.filter((line) => line === '    42')).toHaveLength(1)
})
