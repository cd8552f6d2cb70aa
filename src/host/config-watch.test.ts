import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { ConfigError } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import { watchConfig, type ConfigWatch, type ConfigWatchOptions } from './config-watch.ts'
import type { ReloadReport } from './registry.ts'

const CONFIG: Config = { entries: [] } as unknown as Config // the watch hands it on and reads nothing of it
const REPORT: ReloadReport = {
  added: [],
  removed: [],
  replaced: [],
  updated: [],
  unchanged: [],
  held: [],
}

let folder: string
let watch: ConfigWatch | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deep-pilot-watch-'))
})
afterEach(async () => {
  await watch?.close()
  rmSync(folder, { recursive: true, force: true })
})

function watched(options: Partial<ConfigWatchOptions> = {}) {
  const file = join(folder, 'deep-pilot.json')
  const load = vi.fn<() => Promise<Config>>(() => Promise.resolve(CONFIG))
  const reload = vi.fn<(config: Config) => Promise<ReloadReport>>(() => Promise.resolve(REPORT))
  const clock = fakeClock()
  const begin = async () => {
    watch = await watchConfig({ files: [file], load, reload, clock, ...options })
  }
  return { file, load, reload, clock, begin }
}

describe('a configuration that is watched', () => {
  it('is taken over when its file was written and left alone', async () => {
    const { file, load, reload, clock, begin } = watched()
    writeFileSync(file, '{}')
    await begin()
    writeFileSync(file, '{ }')
    await vi.waitFor(async () => {
      await clock.advance(250)
      expect(reload).toHaveBeenCalledExactlyOnceWith(CONFIG)
    })
    expect(load).toHaveBeenCalledOnce()
  })

  it('is taken over when another file takes the place of the old one, as editors do', async () => {
    const { file, reload, clock, begin } = watched()
    writeFileSync(file, '{}')
    await begin()
    writeFileSync(`${file}.new`, '{}')
    renameSync(`${file}.new`, file)
    await vi.waitFor(async () => {
      await clock.advance(250)
      expect(reload).toHaveBeenCalledOnce()
    })
  })

  it('is taken over when a file comes that was not there', async () => {
    const { file, reload, clock, begin } = watched()
    await begin()
    writeFileSync(file, '{}')
    await vi.waitFor(async () => {
      await clock.advance(250)
      expect(reload).toHaveBeenCalledOnce()
    })
  })

  it('is found to have changed without any notice of the system', async () => {
    const { reload, clock, begin } = watched({ files: [join(folder, 'later', 'deep-pilot.json')] })
    await begin()
    mkdirSync(join(folder, 'later'))
    writeFileSync(join(folder, 'later', 'deep-pilot.json'), '{}')
    await vi.waitFor(async () => {
      await clock.advance(2000)
      expect(reload).toHaveBeenCalledOnce()
    })
  })

  it('is left as it is by a file that cannot be read, and taken over once that is mended', async () => {
    const broken = new ConfigError('no JSON')
    const onFailure = vi.fn<(error: Error) => void>()
    const { file, load, reload, clock, begin } = watched({ onFailure })
    writeFileSync(file, '{}')
    await begin()
    load.mockRejectedValueOnce(broken)
    writeFileSync(file, '{ broken')
    await vi.waitFor(async () => {
      await clock.advance(250)
      expect(onFailure).toHaveBeenCalledExactlyOnceWith(broken)
    })
    expect(reload).not.toHaveBeenCalled()
    writeFileSync(file, '{ "mended": true }')
    await vi.waitFor(async () => {
      await clock.advance(250)
      expect(reload).toHaveBeenCalledOnce()
    })
  })

  it('is read once at a time, and once more when it changed meanwhile', async () => {
    const { file, load, reload, clock, begin } = watched()
    writeFileSync(file, '{}')
    await begin()
    let finish = (_config: Config): void => undefined
    const first = new Promise<Config>((resolve) => (finish = resolve))
    load.mockReturnValueOnce(first)
    writeFileSync(file, '{ "a": 1 }')
    await vi.waitFor(async () => {
      await clock.advance(2000)
      expect(load).toHaveBeenCalledOnce()
    })
    writeFileSync(file, '{ "a": 1, "b": 2 }')
    await clock.advance(2000)
    expect(load).toHaveBeenCalledOnce()
    finish(CONFIG)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  })

  it('is let go of: nothing is read, no timer waits', async () => {
    const { file, load, clock, begin } = watched()
    writeFileSync(file, '{}')
    await begin()
    await watch?.close()
    await watch?.close()
    writeFileSync(file, '{ "a": 1 }')
    await clock.advance(10_000)
    expect(load).not.toHaveBeenCalled()
    expect(clock.pending).toBe(0)
  })

  it('is made up of a hundred files at most', async () => {
    const files = Array.from({ length: 101 }, (_, at) => join(folder, `${at}.json`))
    await expect(watched({ files }).begin()).rejects.toThrow('101 files are too many')
  })
})
