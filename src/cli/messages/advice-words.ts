/** What there is to do about a call that was refused, in both languages. Models are never told this. */

import type { RefusalAdvice } from '../refusal-advice.ts'

export const ADVICE_EN: Readonly<Record<RefusalAdvice, string>> = {
  allow: 'Allow it by a rule of the policy, or give --yes.',
  'asked-by-rule': 'A rule wants it to be asked: change that rule, or give --yes.',
  'new-tool': 'Look at the tool and approve it with: deep-pilot pin. Or give --yes.',
  flow: 'Look at the arguments: data could leave by them. A rule with "afterUntrusted": true allows it, and so does --yes.',
  secret: 'Leave the secret out of the arguments. With --yes it is sent.',
  denied:
    'The policy denies it, and --yes does not change that: change the policy if it should be possible.',
  changed:
    'Look at what changed with "deep-pilot verify", then approve it with "deep-pilot pin"; --yes does not change that.',
  'broken-policy': 'Mend the policy: "deep-pilot policy check" tells what is wrong with it.',
  'protected-file':
    'No tool may touch that file, and --yes does not change that: change it yourself.',
  unapproved: 'Look at its file, and approve it, with: deep-pilot config approve',
  log: 'Make room, or mend the permissions of the audit log: what cannot be written down is not called.',
}

export const ADVICE_ZH: Readonly<Record<RefusalAdvice, string>> = {
  allow: '请用策略规则允许它，或给出 --yes。',
  'asked-by-rule': '有规则要求先询问：请修改那条规则，或给出 --yes。',
  'new-tool': '请查看这个工具，再用 deep-pilot pin 批准，或给出 --yes。',
  flow: '请先看参数：数据可能由此流出。带 "afterUntrusted": true 的规则可以允许它，--yes 同样可以。',
  secret: '请从参数里去掉密钥。给出 --yes 则照样发出。',
  denied: '策略禁止它，--yes 也不能改变；要允许它，请修改策略。',
  changed: '请用 deep-pilot verify 查看变化，再用 deep-pilot pin 批准；--yes 也不能改变。',
  'broken-policy': '请改正策略：deep-pilot policy check 会指出错在哪里。',
  'protected-file': '任何工具都不能动这个文件，--yes 也不能改变：请自己修改。',
  unapproved: '请查看并批准它的文件：deep-pilot config approve',
  log: '请腾出空间，或改正审计日志的权限：写不下来的调用不会进行。',
}
