import { describe, expect, it } from 'vitest'
import { PolicyError } from '../../base/errors.ts'
import { tellZh } from './failure-zh.ts'

function refused(reason: string, more: { brokenAt?: string; by?: string } = {}): PolicyError {
  const { by = 'policy', ...rest } = more
  const detail = { kind: 'denied', tool: 'fs__write', reason, by, ...rest } as const
  const rule = reason === 'deny-rule' ? 'deny fs (p.json:7)' : undefined
  const because = rule === undefined ? undefined : '这里不归我们管'
  return new PolicyError('DP_POLICY_DENIED', 'English.', { detail, rule, because })
}

describe('a refusal in Chinese', () => {
  it('has the reason that the author of the rule gave', () => {
    expect(tellZh(refused('deny-rule'))).toContain(
      '（规则：拒绝 fs（p.json:7）；理由：这里不归我们管）',
    )
  })

  it('names the part of the policy that cannot be read, and no rule', () => {
    const told = tellZh(refused('broken-policy', { brokenAt: 'p.json:7' }))
    expect(told).toBe(
      '没有调用 fs__write：策略有一处无法读取（p.json:7），改正之前，这样的调用都拒绝。请用 deep-pilot policy check 查看错在哪里。',
    )
  })

  it('says of a secret what the English says: it may be that of any server', () => {
    expect(tellZh(refused('secret', { by: 'person' }))).toContain('参数里有配置中的机密')
  })

  it('says that it would be asked where nobody answered', () => {
    expect(tellZh(refused('broken-policy', { by: 'nobody' }))).toContain(
      '策略有一处无法读取，改正之前，这样的调用都要先询问。没有人回答。',
    )
  })
})
