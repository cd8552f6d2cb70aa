import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openAuditFile } from './audit-file.ts'
import type { DecisionRecord } from './audit.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function decision(call: string): DecisionRecord {
  return {
    type: 'decision',
    at: '2026-01-01T00:00:00.000Z',
    run: 'r',
    call,
    server: 'fs',
    tool: 'read\nfile',
    alias: 'fs__read',
    argumentsHash: 'aa',
    verdict: 'allow',
    reason: 'allow-rule',
    by: 'policy',
  }
}

const calls = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as DecisionRecord).call)

it('appends one line a record, in order, readable for its owner alone', async () => {
  const path = join(folder, 'order', 'audit.jsonl')
  const log = await openAuditFile(path)
  await Promise.all(['1', '2', '3'].map(async (call) => log.record(decision(call))))
  await log.close()
  const again = await openAuditFile(path)
  await again.record(decision('4'))
  await again.close()
  expect(calls(path)).toEqual(['1', '2', '3', '4'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('has settled a record only when the line is there', async () => {
  const path = join(folder, 'there', 'audit.jsonl')
  const log = await openAuditFile(path)
  await log.record(decision('1'))
  expect(calls(path)).toEqual(['1'])
  await log.close()
})

it('moves full files aside and keeps only so many', async () => {
  const path = join(folder, 'full', 'audit.jsonl')
  const size = JSON.stringify(decision('0')).length + 1
  const log = await openAuditFile(path, { maxBytes: size * 2, keep: 2 })
  for (let call = 0; call < 9; call += 1) await log.record(decision(String(call)))
  await log.close()
  expect(readdirSync(join(folder, 'full')).toSorted()).toEqual([
    'audit.jsonl',
    'audit.jsonl.1',
    'audit.jsonl.2',
  ])
  expect([calls(`${path}.2`), calls(`${path}.1`), calls(path)]).toEqual([
    ['4', '5'],
    ['6', '7'],
    ['8'],
  ])
})

it('loses no line when two hosts write to one file that is full', async () => {
  const path = join(folder, 'two', 'audit.jsonl')
  const size = JSON.stringify(decision('00')).length + 1
  const options = { maxBytes: size * 3, keep: 20 }
  const [one, other] = [await openAuditFile(path, options), await openAuditFile(path, options)]
  for (let call = 10; call < 40; call += 2) {
    await one.record(decision(String(call)))
    await other.record(decision(String(call + 1)))
  }
  await one.close()
  await other.close()
  const names = readdirSync(join(folder, 'two'))
  const all = names.flatMap((name) => calls(join(folder, 'two', name)))
  // Who finds that the other has moved the file aside goes on in the new one, and begins none of its own.
  expect(names.length).toBeLessThan(9)
  expect(all.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 10)))
})

it.skipIf(process.platform === 'win32')('follows no link', async () => {
  const target = join(folder, 'target')
  writeFileSync(target, '')
  symlinkSync(target, join(folder, 'link.jsonl'))
  await expect(openAuditFile(join(folder, 'link.jsonl'))).rejects.toThrow('ELOOP')
  expect(readFileSync(target, 'utf8')).toBe('')
})
