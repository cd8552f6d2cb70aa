/** 工具、服务器有什么可疑之处的中文，按它的英文句子认出来。没有对应说法的，跟着英文原文。 */

import { SCAN_WORDS, type ScanKind } from '../../policy/scan-rules.ts'
import { said, type Sentence } from './sentences-zh.ts'

const SCAN_ZH: Readonly<Record<ScanKind, string>> = {
  'hidden-text': '里有看不见的字符',
  'out-of-sight': '用大段空白把一部分内容推到视线之外',
  'mixed-scripts': '在一个词里混用了几种文字的字母',
  instruction: '要求模型做这个工具以外的事',
  secrecy: '要求对用户隐瞒',
  'secret-place': '提到存放机密的地方',
  'asks-for-context': '索要对话内容或给模型的指令',
  encoded: '里有一长段无法阅读的编码文字',
  'remote-image': '里有会从别处加载的图片或链接',
  'other-tool': '提到另一个服务器的工具',
  'same-name': '与已有的工具同名或名称相像',
  'very-long': '很长',
  'not-scanned': '太大，没有全部检查',
}

const SCANNED: readonly Sentence[] = Object.entries(SCAN_WORDS).flatMap(([kind, words]) => {
  const zh = SCAN_ZH[kind as ScanKind] // the keys of the table
  return [
    [`"*" ${words}: "*".`, (place = '', shown = '') => `"${place}" ${zh}："${shown}"。`],
    [`"*" ${words}.`, (place = '') => `"${place}" ${zh}。`],
  ] satisfies readonly Sentence[]
})

const OTHERS: readonly Sentence[] = [
  [
    'Characters that cannot be seen were taken out of *.',
    (path) => `${path} 里有看不见的字符，已去掉。`,
  ],
  ['Its name looks like that of *.', (other) => `它的名称与 ${other} 的相像。`],
  [
    'The arguments hold a secret of the configuration of the server *.',
    (server) => `参数里有服务器 ${server} 的配置中的机密。`,
  ],
  [
    'It asked for * tokens and gets at most *.',
    (asked, given) => `它要 ${asked} 个 token，最多给 ${given} 个。`,
  ],
  ['It asked for the context of a conversation and gets none.', () => '它要对话内容，不会给它。'],
  ['It brings * tools of its own.', (count) => `它自带 ${count} 个工具。`],
]

export function toolWarningZh(text: string): string {
  return said([...SCANNED, ...OTHERS], text) ?? `（原文：${text}）`
}
