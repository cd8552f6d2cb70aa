/**
 * Every client case and every stdio server case of the case list beside the repository, run as its readme says. Where there is no such list the
 * file says so and has nothing to run; what the cases prove is proven by tests of our own as well.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleFile } from '../support/bundle.ts'
import { runClientCase, type Case } from '../support/case-runner.ts'
import { runServerCase } from '../support/case-server.ts'

const folder = resolve(import.meta.dirname, '../../../shared/cases')
const listFile = join(folder, 'cases.json')
const cases = existsSync(listFile)
  ? (JSON.parse(readFileSync(listFile, 'utf8')) as { cases: readonly Case[] }).cases
  : []
if (cases.length === 0) console.log(`There is no ${listFile}: its cases are left out.`)

const clientCases = cases.filter(({ kind }) => kind.startsWith('client-'))
const serverCases = cases.filter(({ kind }) => kind === 'server-stdio')

let serverFile = ''
beforeAll(async () => {
  serverFile = await bundleFile('test/support/server-under-test.ts')
})
afterAll(() => rmSync(serverFile, { force: true }))

it('finds the cases of both kinds when there is a list', () => {
  expect(clientCases.length > 0).toBe(cases.length > 0)
  expect(serverCases.length > 0).toBe(cases.length > 0)
})

describe
  .runIf(cases.length > 0)
  .concurrent('the client against the servers of the case list', () => {
    for (const one of clientCases) {
      it(`gets through ${one.id} as expected`, { timeout: one.within_ms + 10_000 }, async () => {
        expect(await runClientCase(one, folder)).toEqual([])
      })
    }
  })

describe
  .runIf(cases.length > 0)
  .concurrent('the server against the inputs of the case list', () => {
    for (const one of serverCases) {
      it(`gets through ${one.id} as expected`, { timeout: one.within_ms + 10_000 }, async () => {
        expect(await runServerCase(one, folder, serverFile)).toEqual([])
      })
    }
  })
