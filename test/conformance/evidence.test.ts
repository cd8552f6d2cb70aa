/** What is found in the folders that the suite writes: by scenario, whatever it put around their names. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { checksIn } from './evidence.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function results(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

it('finds the checks of each scenario behind its name, its time and its slash', () => {
  const folder = results({
    'server-ping-2026-12-02T03-40-33-493Z/checks.json': '[1]',
    'auth/dpop-2026-12-02T03-40-32-458Z/checks.json': '[2]',
    'auth/dpop-nonce-2026-12-02T03-40-32-459Z/checks.json': '[3]',
    'auth/dpop-2026-12-02T03-40-32-458Z/stdout.txt': 'no checks',
  })
  const found = checksIn(folder, ['ping', 'auth/dpop', 'auth/dpop-nonce'])
  expect(Object.fromEntries(found)).toEqual({
    ping: [1],
    'auth/dpop': [2],
    'auth/dpop-nonce': [3],
  })
})

it('does not take one scenario for another whose name begins alike', () => {
  const folder = results({ 'tools-list-2026-12-02T03-40-33-493Z/checks.json': '[]' })
  expect(checksIn(folder, ['tools']).size).toBe(0)
})

it('hands over what is not JSON as it is, for the judge to refuse', () => {
  const folder = results({ 'ping-2026-12-02T03-40-33-493Z/checks.json': '[{"id": ' })
  expect(checksIn(folder, ['ping']).get('ping')).toBe('[{"id": ')
})

it('finds nothing where nothing was written', () => {
  expect(checksIn(join(tmpdir(), 'no-such-folder'), ['ping']).size).toBe(0)
})
