/**
 * Every HTTP input of the case list beside the repository against a server that listens, run as its readme says. Where
 * there is no such list the file says so and has nothing to run; what it proves is proven by tests of our own as well.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/server/node/serve-http.ts'
import type { ServedHttp } from '../../src/server/node/served-http.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool, ToolError } from '../../src/tools/define.ts'
import type { Case } from '../support/case-runner.ts'
import { runHttpServerCase } from '../support/case-served-http.ts'

const folder = resolve(import.meta.dirname, '../../../shared/cases')
const listFile = join(folder, 'cases.json')
const cases = existsSync(listFile)
  ? (JSON.parse(readFileSync(listFile, 'utf8')) as { cases: readonly Case[] }).cases
  : []
if (cases.length === 0) console.log(`There is no ${listFile}: its cases are left out.`)
const httpCases = cases.filter(({ kind }) => kind === 'server-http')

const tools = [
  defineTool<{ text: string }>({
    name: 'echo',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text }) => text,
  }),
  defineTool({ name: 'now', run: () => new Date().toISOString() }),
  defineTool<{ ms: number }>({
    name: 'slow',
    input: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
    async run({ ms }, { signal }) {
      await sleep(ms, undefined, { signal })
      return 'slow'
    },
  }),
  defineTool({
    name: 'fail',
    run() {
      throw new ToolError('this tool always fails')
    },
  }),
]

let served: ServedHttp | undefined
afterEach(async () => {
  await served?.close()
})

it('finds cases when there is a list', () => {
  expect(httpCases.length > 0).toBe(cases.length > 0)
})

describe.runIf(cases.length > 0)('the server against the HTTP inputs of the case list', () => {
  for (const one of httpCases) {
    it(`gets through ${one.id} as expected`, { timeout: one.within_ms + 10_000 }, async () => {
      served = await serveHttp(new Server({ name: 'under-test', version: '1.0.0', tools }))
      expect(await runHttpServerCase(one, folder, served)).toEqual([])
    })
  }
})
