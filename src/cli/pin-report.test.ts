import { expect, it } from 'vitest'
import { hostRoom, tool, toolServer } from '../../test/support/host-room.ts'
import { entryOf } from '../../test/support/runtime.ts'
import { LockFile } from '../host/lock-file.ts'
import { pinReports, type PinReport } from './pin-report.ts'

/** What a server with resources and one tool comes to beside these records, which it writes down as a host does. */
async function reportOf(before: LockFile, after: LockFile, onlyTools?: readonly string[]) {
  const rest = onlyTools === undefined ? {} : { onlyTools }
  const entry = entryOf('docs', rest)
  const { host } = await hostRoom(
    { docs: toolServer(tool('find')) },
    { lock: after, entries: { docs: rest } },
  )
  return pinReports({ host, entries: [entry], before, after })[0] as PinReport // there is one server
}

/** The same records as another file. */
function copyOf(lock: LockFile): LockFile {
  const copy = LockFile.inMemory()
  for (const [key, record] of lock.servers) copy.set(key, record)
  return copy
}

it('shows reading among what a server with resources offers, and finds it the same the next time', async () => {
  const lock = LockFile.inMemory()
  const first = await reportOf(LockFile.inMemory(), lock)
  expect(first.changes.map(({ kind, tool: name }) => `${kind} ${name}`)).toEqual([
    'new find',
    'new resources/read',
  ])
  expect(first.tools).toBe(1)
  expect(await reportOf(copyOf(lock), lock)).toMatchObject({ state: 'same', changes: [] })
})

it('does not take reading for gone where the configuration keeps a server to other tools', async () => {
  const lock = LockFile.inMemory()
  await reportOf(LockFile.inMemory(), lock)
  const kept = await reportOf(copyOf(lock), lock, ['find'])
  expect(kept).toMatchObject({ state: 'same', changes: [] })
})
