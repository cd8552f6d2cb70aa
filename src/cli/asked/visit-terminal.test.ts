import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { VisitQuestion } from '../../host/questions.ts'
import { readVisit } from '../../host/question-warnings.ts'
import type { Choice } from '../choose.ts'
import { questionEn } from '../messages/question-en.ts'
import { openPage } from './open-page.ts'
import { askVisit } from './visit-terminal.ts'

async function visited(address: string, chosen: string | undefined, why?: string) {
  const read = readVisit(address)
  if ('fault' in read) throw new Error(read.fault)
  const { signal } = new AbortController()
  const question: VisitQuestion = {
    server: 'shop',
    signal,
    params: { mode: 'url', message: 'Sign in, please.', url: address },
    ...read,
  }
  const lines: string[] = []
  const opened: string[] = []
  const labels: string[] = []
  const result = await askVisit(question, {
    words: questionEn,
    columns: () => 80,
    line: (text) => lines.push(text),
    open: (url) => {
      opened.push(url)
      return Promise.resolve(why)
    },
    prompts: () =>
      Promise.resolve({
        choose<Value extends string>({ options }: Choice<Value>) {
          labels.push(...options.map(({ label }) => label))
          return Promise.resolve(options.find(({ label }) => label === chosen)?.value)
        },
        write: () => Promise.resolve(undefined),
      }),
  })
  return { result, lines, opened, labels }
}

describe('a page that a server wants visited', () => {
  const URL_ = 'https://shop.example.org/sign-in?next=%2F'
  const [NO, OPEN, SELF] = ['No', 'Yes, open it in the browser', 'Yes, and I open it myself']

  it('is shown with its host and its whole address, and opened after a yes [ELIC-20, ELIC-21]', async () => {
    const { result, lines, opened } = await visited(URL_, OPEN)
    expect(lines).toEqual([
      '┃ Server   shop',
      '┃ It says  Sign in, please.',
      '┃ Host     shop.example.org',
      `┃ Address  ${URL_}`,
    ])
    expect([result, opened]).toEqual([{ action: 'accept' }, [URL_]])
  })

  it.each([
    [NO, 'decline'],
    [undefined, 'cancel'],
    [SELF, 'accept'],
  ])('is not opened by %s [ELIC-20]', async (chosen, action) => {
    const { result, opened, labels } = await visited(URL_, chosen)
    expect([result, opened, labels[0]]).toEqual([{ action }, [], NO])
  })

  it('warns of a host in another alphabet [ELIC-22]', async () => {
    const { lines } = await visited('https://xn--pple-43d.com/', NO)
    expect(lines.join(' ')).toContain('another alphabet')
  })

  it('is left to the person where no browser can be opened', async () => {
    const { result, lines } = await visited(URL_, OPEN, 'xdg-open: not found')
    expect(result).toEqual({ action: 'accept' })
    expect(lines.at(-1)).toContain('xdg-open: not found')
  })
})

// Elsewhere the system's own program would open a page.
describe.skipIf(process.platform !== 'linux')('the browser of the system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-open-'))
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is given the address as one word, without a shell [SEC-06]', async () => {
    const program = join(folder, 'xdg-open')
    const seen = join(folder, 'seen')
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${seen}\n`)
    chmodSync(program, 0o755)
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
    const url = "https://example.org/?a=$(touch%20x)&b=';id"
    expect(await openPage(url)).toBeUndefined()
    expect(readFileSync(seen, 'utf8')).toBe(`1\n${url}\n`)
  })

  it('may be missing', async () => {
    vi.stubEnv('PATH', '/nowhere')
    expect(await openPage('https://example.org/')).toBe('xdg-open: not found')
  })
})
