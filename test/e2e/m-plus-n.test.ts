/** The example of M + N, run as it stands: hosts by two makers on one server of ours, one host of ours on a server by another. */

import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { bundleFile } from '../support/bundle.ts'

const root = resolve(import.meta.dirname, '../..')
const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'

it('lets three hosts by two makers use one server, and one host a server by another maker', async () => {
  const main = await bundleFile(join(root, 'examples/m-plus-n.ts'))
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, join(root, EVERYTHING)], {
    encoding: 'utf8',
    timeout: 50_000,
  })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(stdout.split('\n')).toEqual([
    'Three hosts, one server:',
    '  hello from new-host',
    '  hello from old-host',
    '  hello from foreign-host',
    '  seen by the server: foreign-host speaks 2025-11-25',
    '  seen by the server: new-host speaks 2026-07-28',
    '  seen by the server: old-host speaks 2025-11-25',
    'The same host, a server by another maker:',
    '  Echo: hello',
    '',
  ])
})
