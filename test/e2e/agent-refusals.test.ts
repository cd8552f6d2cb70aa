/** What is said of a call that was refused: to the model, to the person, and as advice at the end of `run`. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'
import { calculator } from '../support/cli-host.ts'
import type { PlayedReply } from '../support/played-provider.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: AgentFolder
beforeEach(() => void (folder = new AgentFolder()))
afterEach(() => folder.end())

const calls = (expr: string): PlayedReply => ({
  calls: [{ name: 'calculator__calculator', args: { expr } }],
})

describe('the advice of run behind a refusal', () => {
  it('speaks of the rule that denied it, and not of --yes', async () => {
    const policy = { policy: { deny: ['calculator'] } }
    folder.configure({ calculator }, policy, 'denying.json')
    await folder.play(calls('1+1'), { text: 'No.' }, calls('1+1'), { text: '不行。' })
    const words = ['run', 'x', '--yes', '--config', 'denying.json']
    const { stderr, code } = await folder.agent(words)
    expect(stderr.replaceAll('\n  ', ' ')).toContain(
      '· The policy denies it, and --yes does not change that: change the policy',
    )
    expect(stderr).not.toContain('give --yes')
    const zh = await folder.agent([...words, '--lang', 'zh'])
    expect(zh.stderr).toContain('· 策略禁止它，--yes 也不能改变；要允许它，请修改策略。')
    expect([code, zh.code]).toEqual([6, 6])
  })
})

describe('a call that nobody can be asked about', () => {
  it('is told to the model in English, and to the person in their language', async () => {
    folder.configure({ calculator }, {}, 'asking.json')
    const provider = await folder.play(calls('1+1'), { text: '不行。' })
    await folder.agent(['run', 'x', '--config', 'asking.json', '--lang', 'zh'])
    const told = String(provider.requests[1]?.messages.at(-1)?.content)
    expect(told).toContain('Nobody answered: there is no terminal to ask at.')
    expect(told).not.toMatch(/\p{Script=Han}/u)
    const words = ['call', 'calculator.calculator', 'expr=1+1', '--config', 'asking.json']
    const call = await folder.runIn('zh', ...words)
    expect(call.stderr).toContain('没有人回答：没有终端，无人可问。')
    expect(call.code).toBe(6)
  })
})
