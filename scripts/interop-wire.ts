/** The wire of one row: judged as it crosses, and written down as a line of JSON an event, for who wants to look afterwards. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireSink } from '../src/jsonrpc/wire.ts'
import { judgedWire, type JudgedWire } from '../test/support/judged-wire.ts'
import type { RowPlan } from './interop-rows.ts'

/** What names a row. */
export type RowName = Pick<RowPlan, 'peer' | 'role' | 'way' | 'wanted'>

/** The file of a row. */
export function wireFile({ peer, role, way, wanted }: RowName, folder: string): string {
  const name = `${peer}-${role}-${way}-${wanted}`.replaceAll(/[^\w.-]+/g, '-')
  return join(folder, `${name}.jsonl`)
}

/** A judge whose sink writes down as well. */
export function openWire(
  row: RowName,
  folder: string,
): { readonly judge: JudgedWire; readonly sink: WireSink } {
  const judge = judgedWire()
  const file = wireFile(row, folder)
  return {
    judge,
    sink(event) {
      judge.sink(event)
      appendFileSync(file, `${JSON.stringify(event)}\n`)
    },
  }
}
