/** What `run` advises behind a refusal that was the last that happened: what fits the reason. */
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
