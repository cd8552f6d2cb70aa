/**
 * Connects the project's client to one of the misbehaving servers under `test/support/peers`, and remembers what
 * was remarked on the wire. Whoever meets a peer ends it with `leaveAll`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { WireNote } from '../../src/jsonrpc/wire.ts'
import type { CallToolResult } from '../../src/protocol/types/tools.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import type { StdioOptions } from '../../src/transport/node/stdio-options.ts'

const folder = join(import.meta.dirname, 'peers')

/** A connection to a peer and the notes on its wire so far. */
export interface Meeting {
  readonly client: Client
  readonly notes: readonly WireNote[]
}

export type MeetOptions = ClientOptions & { readonly stdio?: Partial<StdioOptions> }

const open: Client[] = []

/** Starts `<peer>.mjs <way>` and connects. */
export async function meet(
  peer: string,
  way: string,
  { stdio: more, ...options }: MeetOptions = {},
): Promise<Meeting> {
  const notes: WireNote[] = []
  const args = [join(folder, `${peer}.mjs`), way]
  const transport = stdio({ command: process.execPath, args, name: `${peer} ${way}`, ...more })
  const client = await connect(transport, {
    ...options,
    wire: (event) => {
      if (event.type === 'note') notes.push(event.note)
      options.wire?.(event)
    },
  })
  open.push(client)
  return { client, notes }
}

/** Ends every connection that `meet` made. */
export async function leaveAll(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()))
}

/** All text blocks of a result joined. */
export function textOf(result: CallToolResult): string {
  return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}

/** Whether a process of that id runs; one that has ended and was not yet collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false // no such process
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'latin1'))
}

/** The error that a promise rejects with; fails when it does not reject. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome) return outcome.error
  throw new Error(`Expected a failure, got ${JSON.stringify(outcome.value)?.slice(0, 200)}`)
}
