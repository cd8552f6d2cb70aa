/** What `policy grants` and `policy revoke` say in Chinese. */

import type { GrantWords } from './host-words.ts'

export const grantsZh: GrantWords = {
  none: '没有任何长期同意：每个问题都会询问。',
  head: ['截止', '范围', '工具'],
  anyArguments: '任何参数',
  theseArguments: (hash) => `参数 ${hash}…`,
  notConfigured: (name) => `${name}（这里没有配置它的服务器）`,
  builtIn: (name) => `${name}（自带）`,
  hint: '撤销其中一项：deep-pilot policy revoke SERVER.TOOL',
  nameOrAll: '请写明撤销哪一项（SERVER 或 SERVER.TOOL），或给出 --all。',
  noSuch: (name) => `“${name}”没有任何长期同意。用“deep-pilot policy grants”查看现有的。`,
  revoked: (count) => `已撤销 ${count} 项同意。`,
  running:
    '正在运行的宿主（例如一个 chat）之前已读过它们，结束之前仍按它们行事。要确保失效，请结束它。',
}
