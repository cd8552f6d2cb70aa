import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../base/errors.ts'
import { MODEL_FACTS } from '../model-data.ts'
import { knownOf } from '../model-facts.ts'
import { modelFactsOf } from './models.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'models-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

const read = () => modelFactsOf({ DEEP_PILOT_HOME: home })
const write = (text: string) => writeFile(join(home, 'models.json'), text)

describe('what is known of models', () => {
  it('is the table of the program where a user wrote nothing', async () => {
    expect(await read()).toMatchObject({ facts: MODEL_FACTS, problems: [] })
  })

  it('is what a user wrote, before the table of the program', async () => {
    await write('{"models":[{"provider":"vllm","model":"*","window":8192},{"model":1}]}')
    const { facts, file, problems } = await read()
    expect(knownOf({ provider: 'vllm', name: 'm' }, facts)).toEqual({ window: 8192 })
    expect(knownOf({ provider: 'openai', name: 'gpt-4o' }, facts)).toEqual({ window: 128_000 })
    expect([file, problems.length]).toEqual([join(home, 'models.json'), 1])
  })

  it('is no guess where the file is no text', async () => {
    await writeFile(join(home, 'models.json'), Uint8Array.from([0xff, 0xfe, 0xff]))
    await expect(read()).rejects.toBeInstanceOf(ConfigError)
  })
})
