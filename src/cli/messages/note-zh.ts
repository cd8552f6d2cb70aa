/** 服务器做错了、却没有因此失败的事的中文，一句一件：哪里不对，后果如何。 */

import { noteReasonZh } from './note-reasons-zh.ts'
import type { EntryFault, EntryNoun, EntryRemark, NoteWords } from './note-words.ts'

/** 叫什么，以什么相区别。 */
const NOUNS: Readonly<Record<EntryNoun, readonly [noun: string, key: string]>> = {
  tool: ['工具', '名称'],
  resource: ['资源', ' URI'],
  template: ['资源模板', ' URI 模板'],
  prompt: ['提示词', '名称'],
}

const which = ({ noun, name, place }: EntryRemark): string =>
  name === undefined ? `列表中第 ${place} 个${NOUNS[noun][0]}` : `${NOUNS[noun][0]}“${name}”`

const ENTRIES: Readonly<Record<EntryFault, (entry: EntryRemark) => string>> = {
  nameless: (entry) => `${which(entry)}没有${NOUNS[entry.noun][1]}，未列入。`,
  twice: ({ noun, name = '' }) =>
    `列表中有两个${NOUNS[noun][0]}的${NOUNS[noun][1]}都是“${name}”，后一个未列入。`,
  inputSchema: (entry) => `${which(entry)}的 inputSchema 不是对象；该工具照常提供，但没有参数。`,
  outputSchema: (entry) =>
    `${which(entry)}的 outputSchema 不是对象；该工具照常提供，不检查其结果。`,
  'left-out': (entry) => `${which(entry)}未列入（${noteReasonZh(entry.problem)}）。`,
  other: (entry) => `${which(entry)}有误（${noteReasonZh(entry.problem)}）。`,
}

const because = (reason: string | undefined): string =>
  reason === undefined ? '' : `（${noteReasonZh(reason)}）`

export const noteZh: NoteWords = {
  head: (server) => `警告：服务器“${server}”：`,
  told: {
    entry: (entry) => ENTRIES[entry.fault](entry),
    'bad-contents': ({ part, uri }) =>
      `资源“${uri}”的第 ${part} 部分既没有文本也没有数据，已略去。`,
    'cursor-loop': ({ method }) => `${method} 的列表翻页绕成了圈，只采用此前的内容。`,
    stale: ({ method }) => `没能向它请求 ${method}，采用它以前的应答。`,
    'unexpected-request': ({ method }) =>
      `它请求 ${method} 的方式在其协议版本中不存在，因此得不到应答。`,
    'subscription-gaps': ({ names }) => `它不会通知 ${names.join('、')}。`,
    duplicate: ({ id }) => `它对请求 ${id} 应答了两次，后一次不予理会。`,
    'unknown-id': ({ id }) => `它应答了一个没有人发过的请求，编号 ${id}，不予理会。`,
    'error-without-id': ({ message }) =>
      `它发来一个不属于任何请求的错误，没有请求因此结束：“${message}”。`,
    malformed: ({ text, reason }) =>
      `它发来的一个应答无法读取，也不知属于哪个请求${because(reason)}，不予理会：“${text}”。`,
    stray: ({ text, reason }) =>
      `它发来的内容不是 MCP 消息${because(reason)}，不予理会${text === '' ? '' : `：“${text}”`}。`,
    'too-large': ({ bytes }) =>
      `它发来的一条消息有 ${bytes.toLocaleString('en-US')} 字节，超过上限，已跳过。`,
    'no-listening': ({ reason }) => `收不到它主动说的话，比如工具有变化（原文：${reason}）。`,
    'session-ignored': ({ reason }) => `它给出的会话编号不能用，不予理会${because(reason)}。`,
    'not-accepted': ({ isAnswer, reason }) =>
      `它没有收下${isAnswer ? '对它的提问的应答' : '一条通知'}（原文：${reason}）。`,
    more: () => '还有更多同类的情况，不再显示。',
  },
  toAuthor: '请告知服务器的作者。',
}
