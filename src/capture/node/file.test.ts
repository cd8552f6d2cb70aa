import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  chmod,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../base/errors.ts'
import type { WireEvent } from '../../jsonrpc/wire.ts'
import type { CaptureItem } from '../reader.ts'
import { sampleEvents } from '../../../test/support/capture-sample.ts'
import type { Disk } from './disk.ts'
import { openCapture, readCaptureFile } from './file.ts'

let folder = ''
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capture-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fresh = (): string => join(folder, `c${(count += 1)}.jsonl`)
const read = async (path: string): Promise<CaptureItem[]> => {
  const items: CaptureItem[] = []
  for await (const item of readCaptureFile(path)) items.push(item)
  return items
}
const codes = (items: readonly CaptureItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'damage' ? [item.damage.code] : []))
const messages = (items: readonly CaptureItem[]): WireEvent[] =>
  items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
const gaps = (items: readonly CaptureItem[]): number[] =>
  items.flatMap((item) =>
    item.kind === 'record' && item.record.type === 'gap' ? [item.record.count ?? -1] : [],
  )
const event = (seq: number, text = `{"jsonrpc":"2.0","method":"m${seq}"}`): WireEvent => ({
  type: 'message',
  seq,
  connection: 'a',
  transport: 't',
  at: seq,
  wall: seq,
  direction: 'out',
  text,
})
/** Fails the calls of `write` and `writeNow` that `fails` names, counted from 1 after the header. */
const faulty =
  (fails: (call: number) => 'error' | 'short' | undefined, code = 'ENOSPC') =>
  (disk: Disk): Disk => {
    let calls = -1
    const fault = (): Error => Object.assign(new Error(`${code}: made to fail`), { code })
    return {
      ...disk,
      write(data, position, done) {
        calls += 1
        const how = fails(calls)
        if (how === 'error') setImmediate(() => done(fault(), 0))
        else
          disk.write(
            how === 'short' ? data.subarray(0, Math.ceil(data.length / 3)) : data,
            position,
            done,
          )
      },
      writeNow(data, position) {
        calls += 1
        const how = fails(calls)
        if (how === 'error') throw fault()
        return disk.writeNow(
          how === 'short' ? data.subarray(0, Math.ceil(data.length / 3)) : data,
          position,
        )
      },
    }
  }

describe('a capture file', () => {
  it('is readable by its owner only', async () => {
    const path = fresh()
    const capture = await openCapture(path)
    await capture.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(codes(await read(path))).toEqual([])
  })

  it('is never written over without being asked', async () => {
    const path = fresh()
    await writeFile(path, 'precious')
    await expect(openCapture(path)).rejects.toThrow(UsageError)
    expect(await readFile(path, 'utf8')).toBe('precious')
    const capture = await openCapture(path, { existing: 'replace' })
    await capture.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(codes(await read(path))).toEqual([])
  })

  it('is never written through a link', async () => {
    const target = fresh()
    await writeFile(target, 'precious')
    for (const existing of ['refuse', 'replace', 'append'] as const) {
      const path = fresh()
      await symlink(target, path)
      await expect(openCapture(path, { existing })).rejects.toThrow(UsageError)
    }
    const dangling = fresh()
    await symlink(join(folder, 'nowhere'), dangling)
    await expect(openCapture(dangling)).rejects.toThrow(UsageError)
    expect(await readFile(target, 'utf8')).toBe('precious')
  })

  it('says what is wrong when it cannot be opened or read', async () => {
    await expect(openCapture(join(folder, 'no', 'such', 'folder'))).rejects.toThrow(
      /Cannot record to .*no such file/,
    )
    await expect(read(join(folder, 'none'))).rejects.toThrow(/Cannot read the capture/)
    await expect(openCapture(folder, { existing: 'append' })).rejects.toThrow(/no ordinary file/)
  })

  it('has 100,000 records in order', async () => {
    const path = fresh()
    const capture = await openCapture(path)
    for (let n = 0; n < 100_000; n += 1) {
      capture.sink(event(n))
      if (n % 1000 === 0) await new Promise(setImmediate)
    }
    await capture.close()
    expect(capture.state).toMatchObject({ status: 'closed', records: 100_000, lost: 0 })
    let next = 0
    let wrong = 0
    for await (const item of readCaptureFile(path, { readings: false })) {
      if (item.kind === 'damage') wrong += 1
      if (item.kind === 'event') {
        if (item.event.seq !== next) wrong += 1
        next += 1
      }
    }
    expect([next, wrong]).toEqual([100_000, 0])
  })

  it('may be closed twice, and ignores what comes afterwards', async () => {
    const path = fresh()
    const capture = await openCapture(path)
    capture.sink(event(0))
    await Promise.all([capture.close(), capture.close()])
    await capture.close()
    capture.sink(event(1))
    expect(messages(await read(path))).toHaveLength(1)
  })

  it('is on the disk before the sink returns with sync "frame"', async () => {
    const path = fresh()
    const capture = await openCapture(path, { sync: 'frame' })
    capture.sink(event(0))
    expect(messages(await read(path))).toHaveLength(1)
    await capture.close()
  })

  it('writes what waits at once when asked to, also over an unfinished write', async () => {
    const path = fresh()
    const capture = await openCapture(path)
    capture.sink(event(0))
    await new Promise(setImmediate)
    capture.sink(event(1))
    capture.flushNow()
    expect(messages(await read(path))).toHaveLength(2)
    capture.sink(event(2))
    await capture.close()
    expect(codes(await read(path))).toEqual([])
    expect(messages(await read(path))).toHaveLength(3)
  })
})

describe('appending', () => {
  it('goes on with numbers and checksums', async () => {
    const path = fresh()
    for (let round = 0; round < 3; round += 1) {
      const capture = await openCapture(path, { existing: 'append' })
      for (const one of sampleEvents(10)) capture.sink(one)
      await capture.close()
    }
    const items = await read(path)
    expect(codes(items)).toEqual([])
    expect(messages(items)).toHaveLength(30)
  })

  it('moves a torn tail aside and rewrites nothing', async () => {
    const path = fresh()
    const capture = await openCapture(path)
    for (const one of sampleEvents(20)) capture.sink(one)
    await capture.close()
    const whole = await readFile(path)
    for (const cut of [1, 2, 17, 18, 19, 100]) {
      await writeFile(path, whole)
      await rm(`${path}.torn`, { force: true })
      await truncate(path, whole.length - cut)
      const again = await openCapture(path, { existing: 'append' })
      again.sink(event(0))
      await again.close()
      const items = await read(path)
      expect(codes(items)).toEqual([])
      const torn = await readFile(`${path}.torn`)
      const now = await readFile(path)
      const kept = whole.length - cut - torn.length
      expect(now.subarray(0, kept)).toEqual(whole.subarray(0, kept))
      expect(torn).toEqual(whole.subarray(kept, whole.length - cut))
      expect((await stat(`${path}.torn`)).mode & 0o777).toBe(0o600)
    }
  })

  it('finds the last whole record behind megabytes of rubbish', async () => {
    const path = fresh()
    const capture = await openCapture(path)
    capture.sink(event(0))
    await capture.close()
    await appendFile(path, `${'\0'.repeat(3_000_000)}\nhalf`)
    const again = await openCapture(path, { existing: 'append' })
    await again.close()
    expect(codes(await read(path))).toEqual([])
    expect((await stat(`${path}.torn`)).size).toBe(3_000_005)
  })

  it('refuses a file that is no capture, and one with other redaction', async () => {
    const path = fresh()
    await writeFile(path, 'a diary\n')
    await expect(openCapture(path, { existing: 'append' })).rejects.toThrow(/it is no capture/)
    expect(await readFile(path, 'utf8')).toBe('a diary\n')
    const open = fresh()
    await (await openCapture(open, { redact: false })).close()
    await expect(openCapture(open, { existing: 'append' })).rejects.toThrow(/redaction is off/)
  })

  it('makes a file of others private', async () => {
    const path = fresh()
    await (await openCapture(path)).close()
    await chmod(path, 0o644)
    await (await openCapture(path, { existing: 'append' })).close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })
})

describe('a disk that fails', () => {
  it.each(['ENOSPC', 'EIO'])(
    'at any one call with %s loses nothing, and the file tells of it',
    async (code) => {
      for (let bad = 1; bad <= 20; bad += 1) {
        const path = fresh()
        const states: string[] = []
        const capture = await openCapture(path, {
          disk: faulty((call) => (call === bad ? 'error' : undefined), code),
          onState: (state) => states.push(`${state.status} ${state.reason ?? ''}`),
        })
        for (let n = 0; n < 25; n += 1) {
          capture.sink(event(n))
          await new Promise(setImmediate)
          if (n % 5 === 4) await capture.flush()
        }
        const hit = states.some((state) => state.startsWith('degraded'))
        await capture.close()
        const items = await read(path)
        expect(codes(items)).toEqual([])
        expect(messages(items).map((one) => one.seq)).toEqual([...Array(25).keys()])
        // A call that fails only while closing is told when it comes before the end record.
        expect(gaps(items).filter((gap) => gap !== 0)).toEqual([])
        expect(!hit || gaps(items).length === 1).toBe(true)
      }
    },
    60_000,
  )

  it('at all short writes loses nothing', async () => {
    const path = fresh()
    const capture = await openCapture(path, {
      disk: faulty((call) => (call > 0 ? 'short' : undefined)),
    })
    for (const one of sampleEvents(200)) capture.sink(one)
    await capture.close()
    expect(codes(await read(path))).toEqual([])
    expect(messages(await read(path))).toHaveLength(200)
  })

  it('for good, lets traffic go on within its memory and counts what is lost', async () => {
    const path = fresh()
    let broken = true
    const states: string[] = []
    const capture = await openCapture(path, {
      maxQueued: 10_000,
      disk: faulty((call) => (broken && call > 0 ? 'error' : undefined)),
      onState: (state) => states.push(state.status),
    })
    for (let n = 0; n < 1000; n += 1) capture.sink(event(n))
    await capture.flush()
    expect(capture.state).toMatchObject({ status: 'degraded', reason: 'ENOSPC: made to fail' })
    expect(capture.state.lost).toBeGreaterThan(800)
    broken = false
    await capture.close()
    const items = await read(path)
    expect(codes(items)).toEqual([])
    expect(messages(items).length + gaps(items).reduce((sum, gap) => sum + gap, 0)).toBe(1000)
    expect(states).toContain('degraded')
  })

  it('until the end, still closes and tells how much is missing', async () => {
    const path = fresh()
    const capture = await openCapture(path, {
      disk: faulty((call) => (call > 0 ? 'error' : undefined)),
    })
    for (let n = 0; n < 100; n += 1) capture.sink(event(n))
    await capture.close()
    expect(capture.state).toMatchObject({ status: 'closed', lost: 100, records: 0 })
    expect(codes(await read(path))).toEqual(['unfinished'])
  })

  it('with sync "frame" does not throw into the traffic', async () => {
    const path = fresh()
    const capture = await openCapture(path, {
      sync: 'frame',
      disk: faulty((call) => (call % 3 === 2 ? 'error' : call % 3 === 1 ? 'short' : undefined)),
    })
    for (let n = 0; n < 30; n += 1) capture.sink(event(n))
    await capture.close()
    const items = await read(path)
    expect(codes(items)).toEqual([])
    expect(messages(items)).toHaveLength(30)
  })

  it('at its first call is an error for the caller', async () => {
    await expect(openCapture(fresh(), { disk: faulty(() => 'error') })).rejects.toThrow(
      /made to fail/,
    )
  })
})

describe('a writer that is killed', () => {
  it('leaves every record that it had acknowledged, five times out of five', async () => {
    const script = join(folder, 'writer.mjs')
    const { build } = await import('esbuild')
    await build({
      stdin: {
        contents: `import { openCapture } from './file.ts'
          const capture = await openCapture(process.argv[2])
          for (let n = 0; ; n += 1) {
            capture.sink({ type: 'message', seq: n, connection: 'a', transport: 't', at: n, wall: n, direction: 'out', text: '{"n":' + n + '}' + ' '.repeat(n % 500) })
            if (n % 50 === 49) { await capture.flush(); process.stdout.write(n + '\\n') }
          }`,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: script,
      logLevel: 'silent',
    })
    for (const acknowledged of [1, 2, 5, 11, 23]) {
      const path = fresh()
      const child = spawn(process.execPath, [script, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let out = ''
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          out += chunk.toString()
          if (out.split('\n').length > acknowledged) resolve()
        })
      })
      child.kill('SIGKILL')
      await once(child, 'close')
      const last = Number(out.slice(0, out.lastIndexOf('\n')).split('\n').at(-1))
      const items = await read(path)
      expect(codes(items).filter((code) => code !== 'torn')).toEqual(['unfinished'])
      const found = messages(items).map((one) => one.seq)
      expect(found).toEqual([...found.keys()])
      expect(found.length).toBeGreaterThan(last)
    }
  })
})
