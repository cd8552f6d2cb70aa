/**
 * Meets published servers of other authors alone, without the rest of the interop matrix, and tells each difference.
 *
 * `node scripts/run.mjs scripts/strangers.ts [names]`. Installed packages are kept for the next run. Not part of the
 * tests: it needs a network.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remarksOf, tableOf } from './interop-report.ts'
import { isAsExpected, type Row } from './interop-rows.ts'
import { meetStrangers } from './interop-strangers.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-interop-'))
const tell = ({ peer, wanted }: Row): void => console.log(`${peer}, ${wanted}`)
const { rows, left } = await meetStrangers(process.argv.slice(2), { folder, tell })
rmSync(folder, { recursive: true, force: true })
if (rows.length > 0) console.log(`\n${tableOf(rows)}\n`)
const remarks = remarksOf(rows)
if (remarks !== '') console.log(`${remarks}\n`)
for (const line of left) console.log(`left out: ${line}`)
process.exitCode = rows.every(isAsExpected) && left.length === 0 ? 0 : 1
