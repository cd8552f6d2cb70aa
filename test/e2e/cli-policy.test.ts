/** A call on the command line and the policy of its configuration, from the file to what is said. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'
import { calculator, HostFolder } from '../support/cli-host.ts'

let folder: HostFolder

beforeEach(() => {
  folder = new HostFolder()
})

afterEach(() => {
  folder.remove()
})

const CALL = ['call', 'calc.calculator', 'expr=1+1', '--config'] as const

describe('a call and the policy of its configuration', () => {
  it('is refused with the reason that the author of the rule gave, in both languages', async () => {
    const deny = [{ tools: 'calc', because: '这里不算' }]
    const path = folder.configure({ calc: calculator }, { policy: { deny } })
    const english = await folder.run(...CALL, path)
    expect(english).toMatchObject({ code: 6 })
    expect(english.stderr).toContain('says so, because: 这里不算.')
    const chinese = await folder.runIn('zh', ...CALL, path)
    expect(chinese.stderr).toContain('；理由：这里不算）')
  })

  it('is refused for a part that cannot be read, which is told of once', async () => {
    const path = folder.configure({ calc: calculator }, { policy: { deny: 'calc' } })
    const { code, stderr } = await folder.run(...CALL, path, '--yes')
    expect(code).toBe(6)
    expect(stderr.match(/"deny" is a list of rules/g)).toHaveLength(1)
    expect(stderr).toMatch(/a part of the policy cannot be read \(.*config\.json:\d+\)/)
    expect(stderr).not.toContain('the rule "')
  })

  it('is judged as it was recorded, with the rule and its reason in the language of the run', async () => {
    const ask = [{ tools: 'calc', because: '先看参数' }]
    const path = folder.configure({ calc: calculator }, { policy: { ask } })
    await folder.run(...CALL, path, '--yes', '--capture', 'wire.jsonl')
    const { stdout } = await folder.runIn('zh', 'policy', 'test', 'wire.jsonl', '--config', path)
    expect(stdout).toMatch(/^询问 {2}calc\.calculator {2}询问 calc（.*） · 理由：先看参数\n$/)
  })
})

describe('a run of a model and a policy that cannot be read', () => {
  it('tells of it once, and the model hears that the policy is broken', async () => {
    const agents = new AgentFolder()
    try {
      const path = agents.configure({ calc: calculator }, { policy: { deny: 'calc' } })
      const call = { name: 'calc__calculator', args: { expr: '1+1' } }
      const provider = await agents.play({ calls: [call] }, { text: 'No.' })
      const { stderr } = await agents.agent(['run', 'Sum up.', '--config', path])
      expect(stderr.match(/"deny" is a list of rules/g)).toHaveLength(1)
      const heard = provider.requests[1]?.messages.at(-1)?.content
      expect(heard).toContain('a part of the policy cannot be read')
    } finally {
      await agents.end()
    }
  })
})

describe('a state folder that cannot be one', () => {
  it('is told with what is in the way and what to do, and is no internal error', async () => {
    folder.write('taken', '')
    folder.home = 'taken/home'
    const path = folder.configure({ calc: calculator })
    for (const words of [
      [...CALL, path],
      ['list', '--config', path],
      ['config', 'add', 'x', '--url', 'https://h/'],
    ]) {
      const english = await folder.run(...words)
      expect(english.stderr).toMatch(/taken" is no folder\. .*DEEP_PILOT_HOME/)
      expect(english.stderr).not.toContain('Internal error')
      expect(english.code).not.toBe(0)
      const chinese = await folder.runIn('zh', ...words)
      expect(chinese.stderr).toMatch(/无法创建目录“.*taken”不是目录。.*DEEP_PILOT_HOME/)
    }
  })
})
