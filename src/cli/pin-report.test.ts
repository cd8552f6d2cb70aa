import { describe, expect, it } from 'vitest'
import { hostRoom, tool, toolServer } from '../../test/support/host-room.ts'
import { entryOf } from '../../test/support/runtime.ts'
import { displayWidth } from '../base/terminal-text.ts'
import { LockFile } from '../host/lock-file.ts'
import { hostEn } from './messages/host-en.ts'
import { hostZh } from './messages/host-zh.ts'
import { pinReports, reportLines, type PinReport } from './pin-report.ts'
import { SecretMask } from './secrets.ts'

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

it('shows reading that is held as changed, and not as gone', async () => {
  const lock = LockFile.inMemory()
  await reportOf(LockFile.inMemory(), lock)
  const record = lock.servers.get('docs')
  const reading = record?.tools.get('resources/read')
  if (record === undefined || reading === undefined) throw new Error('it was not pinned')
  const other = { ...reading, sha256: '00', definition: { name: 'resources/read' } }
  lock.set('docs', { ...record, tools: new Map([...record.tools, ['resources/read', other]]) })
  const held = await reportOf(copyOf(lock), lock)
  expect(held.changes).toMatchObject([{ kind: 'changed', tool: 'resources/read' }])
})

it('does not take reading for gone where the configuration keeps a server to other tools', async () => {
  const lock = LockFile.inMemory()
  await reportOf(LockFile.inMemory(), lock)
  const kept = await reportOf(copyOf(lock), lock, ['find'])
  expect(kept).toMatchObject({ state: 'same', changes: [] })
})

describe('a report at a terminal', () => {
  const about = 'Reads a file of the folder, and says in which of its lines a word was found. '
  const changed: PinReport = {
    server: 'docs',
    state: 'different',
    status: {
      key: 'docs',
      state: 'ready',
      why: 'ready',
      whyKind: 'connected',
      since: 0,
      crashes: 0,
      waiting: 0,
      running: 0,
    },
    tools: 1,
    launchChanged: true,
    changes: [
      {
        kind: 'changed',
        tool: 'find',
        diff: ['description:', '- Reads', `+ ${about.repeat(2)}`],
        warnings: [`The tool says of itself: ${about}`],
      },
    ],
  }
  const linesOf = (columns: number | undefined, words = hostEn, mask = new SecretMask()) =>
    reportLines(changed, words, { output: { columns }, mask })

  it.each([80, 50])(
    'breaks no word, and goes on below what went before, at %i columns',
    (columns) => {
      const lines = linesOf(columns)
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      const words = linesOf(undefined).flatMap((line) => line.trim().split(/ +/))
      expect(lines.flatMap((line) => line.trim().split(/ +/))).toEqual(words)
      for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}/)
      expect(lines.filter((line) => line.startsWith('        '))).not.toEqual([])
    },
  )

  it('goes on below the text in Chinese as well', () => {
    const lines = linesOf(40, hostZh)
    expect(lines.slice(0, 2)).toEqual(['docs  与批准时不一致', '  ! 启动或连接的方式与批准时不同'])
    for (const line of linesOf(24, hostZh)) expect(displayWidth(line)).toBeLessThanOrEqual(24)
    expect(linesOf(24, hostZh).slice(1, 3)).toEqual(['  ! 启动或连接的方式与批', '    准时不同'])
  })

  it('breaks no secret before it is masked', () => {
    const mask = new SecretMask()
    mask.know([about.trim()])
    expect(linesOf(50, hostEn, mask).join(' ')).not.toMatch(/Reads a file|was found/)
  })
})
