/**
 * `chat` 与 `run` 的警告的中文。一种警告只有一个意思的，一句话说完；有几个意思或带着名称、数目的，按它的英文句子认出来。
 * 只有别人自己的话（系统、schema）跟着原文。
 */

import type { AgentWarningKind } from '../../agent/events.ts'
import { said, type Sentence } from './sentences-zh.ts'

const KINDS: Readonly<Record<AgentWarningKind, string>> = {
  'choice-lowered': '模型不接受指定的工具，改由它自己选择。',
  'leaked-call': '回答里有像工具调用的文字，没有执行。',
  'made-id': '提供方给出的调用编号缺失、重复或过长，已另编一个；之后再有，不再提示。',
  'dropped-part': '模型不接受图片，已略去。',
  'ignored-option': '模型不接受其中一个设置，已忽略。',
  'odd-reply': '回答有不合常规之处，已照能读的读取。',
  'cut-prompt': '发送的内容超出模型的窗口，其服务器略去了开头。',
  'left-out': '有工具没有提供给模型。',
  'not-strict': '因为一个工具，没有要求提供方强制模型遵守 schema。',
  'empty-reply': '模型什么也没有说。',
  truncated: '回答达到长度上限而被截断，其中的调用没有执行。',
  repeated: '同一个调用重复了多次。',
  'asked-again': '模型把工具调用写成了文字，没有执行，再请求一次。',
  transcript: '对话不能继续写入文件。',
  result: '工具结果的全文没能保存。',
}

/** Kinds that have one meaning, which their text says whole. */
const ONE_MEANING: ReadonlySet<AgentWarningKind> = new Set([
  'asked-again',
  'choice-lowered',
  'dropped-part',
  'empty-reply',
  'leaked-call',
  'made-id',
  'truncated',
])

/** Why a schema cannot be offered, behind a colon. */
export const SCHEMA_ZH: readonly Sentence[] = [
  ['it is longer than 64 KiB', () => '它长于 64 KiB'],
  ['no arguments fit it', () => '没有符合它的参数'],
  [
    'it wants *, and arguments are always an object',
    (types = '') => `它要的是 ${types.replaceAll(' or ', ' 或 ')}，而参数总是对象`,
  ],
  ['none of its alternatives is an object', () => '它的几种可能都不是对象'],
  [
    'it needs members whose names are not allowed there: *',
    (names) => `它必须有的成员的名称不可用：${names}`,
  ],
  [
    'it is no schema: that is an object, true or false',
    () => '它不是 schema，schema 是对象、true 或 false',
  ],
  ['its definitions contain one another in too many ways', () => '它的定义互相包含，展开后太大'],
]

/** Why a tool is left out, behind its name. */
export const LEFT_OUT_ZH: readonly Sentence[] = [
  ['It is held back: *', () => '它被扣留，原因见 deep-pilot list。'],
  ['The model takes no tool of this name.', () => '模型不接受这样的工具名称。'],
  ['Another tool has its name.', () => '另一个工具已用了这个名称。'],
  ['The model takes at most * tools.', (most) => `模型最多接受 ${most} 个工具。`],
  ['The definitions before it fill the request.', () => '前面的工具已占满请求。'],
  ['Its schema cannot be offered: *.', (why = '') => schemaZh(why)],
]

export const SENTENCES_ZH: Readonly<Partial<Record<AgentWarningKind, readonly Sentence[]>>> = {
  'ignored-option': [
    [
      'There is no room to think in a reply of * tokens: the effort "*" was not sent.',
      (tokens, effort) => `一次回答最多 ${tokens} 个 token，容不下思考，没有要求“${effort}”。`,
    ],
    [
      'The model "*" does not reason: the effort "*" was not sent.',
      (model, effort) => `模型“${model}”不会思考，没有要求“${effort}”。`,
    ],
    [
      '* cannot be asked for the effort "*": it was not sent.',
      (provider, effort) => `${provider} 不能按“${effort}”思考，没有要求它。`,
    ],
    [
      'The tools were sent as strict, which DeepSeek heeds below "/beta" alone: if the base URL leads to DeepSeek, end it with "/beta".',
      () =>
        '工具按 strict 发送，而 DeepSeek 只在“/beta”之下遵守：若地址通向 DeepSeek，请以“/beta”结尾。',
    ],
  ],
  'odd-reply': [
    [
      'The reply has blocks of a kind that was not asked for.',
      () => '回答里有没要求过的内容，已略过。',
    ],
    [
      'The reply has items of a kind that was not asked for.',
      () => '回答里有没要求过的内容，已略过。',
    ],
    [
      'The reply has a call without name and arguments.',
      () => '回答里有一个调用既没有名称也没有参数，已略过。',
    ],
    [
      'The name of a call was cut to * characters.',
      (most) => `回答里有一个调用的名称太长，只取前 ${most} 个字符。`,
    ],
    [
      'The reply ended with "*" and has no calls.',
      (word) => `回答以“${word}”结束，里面却没有调用。`,
    ],
    [
      'The reply has more than one choice; only the first was read.',
      () => '提供方给出了几个回答，只读了第一个。',
    ],
  ],
  'cut-prompt': [
    [
      'The window of the model has * tokens, and about * were sent: its server left the beginning out. Ask for a larger window with --context, or send less.',
      (window, sent) =>
        `模型的窗口有 ${window} 个 token，而发送了约 ${sent} 个，其服务器略去了开头。请用 --context 要求更大的窗口，或少发一些。`,
    ],
  ],
  'left-out': [
    [
      'The tool * is not offered to the model: *',
      (alias, reason = '') => `工具 ${alias} 没有提供给模型：${leftOutZh(reason)}`,
    ],
  ],
  'not-strict': [
    [
      'The tools are not sent as strict because of *. *',
      (alias, reason) =>
        `因为工具 ${alias}，没有要求提供方强制模型遵守 schema（原文：${reason}）。`,
    ],
  ],
  repeated: [
    [
      '* was called * times in the same way.',
      (alias, times) => `${alias} 以同样的方式调用了 ${times} 次。`,
    ],
  ],
}

/** What a warning says; of what is not known, the English follows. */
export function warningZh(kind: AgentWarningKind, message: string): string {
  const known = said(SENTENCES_ZH[kind] ?? [], message)
  if (known !== undefined) return known
  return ONE_MEANING.has(kind) ? KINDS[kind] : `${KINDS[kind]}（原文：${message}）`
}

/** 工具为什么没有提供给模型，一句。 */
export function leftOutZh(reason: string): string {
  return said(LEFT_OUT_ZH, reason) ?? `（原文：${reason}）`
}

function schemaZh(reason: string): string {
  const known = said(SCHEMA_ZH, reason)
  return known === undefined
    ? `它的 schema 不能这样发送（原文：${reason}）。`
    : `它的 schema 不能这样发送：${known}。`
}
