/** `why` of the built program, on what `run` of it recorded with a provider that plays a part. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { AgentFolder } from '../support/agent-cli.ts'
import { calculator, HostFolder } from '../support/cli-host.ts'
import { cli, type CliRun } from '../support/cli.ts'
import { PlayedProvider } from '../support/played-provider.ts'

const KEY = 'sk-played-0123456789abcdef'

let folder: HostFolder
let provider: PlayedProvider
beforeAll(async () => {
  folder = new HostFolder()
  folder.write('deep-pilot.json', { mcpServers: { calc: calculator } })
  provider = await PlayedProvider.open([
    {
      reasoning: 'A product.',
      text: 'I compute.',
      calls: [{ name: 'calc__calculator', args: { expr: '23*7' } }],
    },
    { text: 'It is 161.' },
  ])
  await program('run', 'What is 23*7?', '--config', 'deep-pilot.json', '--yes')
})
afterAll(async () => {
  await provider.close()
  folder.remove()
})

function program(...words: readonly string[]): Promise<CliRun> {
  const env = {
    DEEP_PILOT_HOME: join(folder.path, 'home'),
    DEEP_PILOT_BASE_URL: provider.url,
    DEEP_PILOT_API_KEY: KEY,
    LANG: 'C.UTF-8',
  }
  return cli(words, { cwd: folder.path, env })
}

describe('deep-pilot why', () => {
  it.each([
    ['en', /Refused · as nobody answered · no rule is about it/],
    ['zh', /拒绝 · 因为无人回答 · /],
  ])('says in %s that nobody answered where nobody could be asked', async (language, said) => {
    const alone = new AgentFolder()
    try {
      alone.configure({ calc: calculator })
      await alone.play(
        { reasoning: 'sum', calls: [{ name: 'calc__calculator', args: { expr: '1+1' } }] },
        { text: 'I may not.' },
      )
      await alone.agent(['run', 'Add.', '--config', 'config.json'])
      expect((await alone.agent(['why', 't1c1', '--lang', language])).stdout).toMatch(said)
    } finally {
      await alone.end()
    }
  })

  it('lists the calls of the last session', async () => {
    expect(await program('why')).toMatchObject({
      code: 0,
      stdout: 't1c1  calc__calculator  ok  {"expr":"23*7"}\n',
    })
  })

  it('shows a call from the words of the model to the bytes and back', async () => {
    const { stdout, code } = await program('why', 't1c1')
    expect(code).toBe(0)
    for (const part of [
      /It thought:\n {6}A product\./,
      /It said:\n {6}I compute\./,
      /calc__calculator is the tool "calculator" of the server "calc"\./,
      /Allowed · by an option of the command/,
      /which is that of the arguments on the wire/,
      /→ tools\/call .*\n {6}\{"jsonrpc":"2\.0".*"expr":"23\*7"/,
      /← result .*\n {6}\{"jsonrpc":"2\.0".*"value":161/,
      /All of it, 3 bytes:\n {6}161\n$/,
    ])
      expect(stdout).toMatch(part)
  })

  it('gives the same chain as JSON, with the exact bodies and no key in them', async () => {
    const { stdout } = await program('why', 't1c1', '--json')
    const chain = JSON.parse(stdout) as { model: readonly { text: string }[] } // printed by us
    expect(JSON.parse(chain.model[0]?.text ?? '')).toMatchObject({
      messages: [{}, { role: 'user' }],
    })
    expect(stdout).not.toContain(KEY)
  })

  it('shows the notes of the agent with the messages of the wire', async () => {
    const session = (await program('why', 't9', '--json')).stderr
    const [path = ''] = /\/\S*capture\.jsonl/.exec(session) ?? []
    const { stdout } = await program('captures', 'show', path, '--lang', 'zh')
    for (const part of [
      '→ 模型请求: t1',
      '← 模型响应: t1 200',
      '· 工具调用 t1c1',
      '· 决定 t1c1',
      '· 给模型看的结果 t1c1',
    ])
      expect(stdout).toContain(part)
  })

  it('ends with the code of a mistake for a call that is not there', async () => {
    const { code, stderr } = await program('why', 't9c9')
    expect(code).toBe(EXIT.usage)
    expect(stderr).toMatch(/There is no call "t9c9" .*It has: t1c1\./)
  })

  it('says that there is no session yet', async () => {
    const { code, stderr } = await cli(['why'], {
      cwd: folder.path,
      env: { DEEP_PILOT_HOME: join(folder.path, 'nothing'), LANG: 'C.UTF-8' },
    })
    expect(code).toBe(EXIT.usage)
    expect(stderr).toContain('There is no session')
  })
})
