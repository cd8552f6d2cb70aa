/** 服务器提问时程序自己说的话，中文。 */

import type { FieldWish } from '../asked/form-fields.ts'
import type { QuestionWords } from './question-words.ts'

export const questionZh: QuestionWords = {
  server: '服务器',
  message: '它说',
  warning: '注意',
  host: '主机',
  address: '地址',
  field: '字段',
  about: '说明',
  wanted: '要求',
  filledIn: '填写内容',
  preset: '现有内容',
  keep: '照原样保留',
  anew: '重新填写',
  concern(concern) {
    switch (concern.kind) {
      case 'secret-field':
        return `字段 ${JSON.stringify(concern.field)} 像是在索要机密。服务器不得用表单这样做：请不填，或拒绝。`
      case 'secret-message':
        return '这段话像是在索要机密。服务器不得用表单这样做：请拒绝。'
      case 'address':
        return '表单的文字里有网址，请不要打开。'
      case 'other-alphabet':
        return '主机名用的是另一种字母，可能只是看着眼熟。'
      case 'bare-number':
        return '主机只是一串数字。'
      default:
        return '这个地址就在本机上。'
    }
  },
  mayFill: (server, fields) =>
    fields === 0 ? `对服务器 ${server} 说“是”？` : `为服务器 ${server} 填写 ${fields} 项？`,
  fill: { decline: '否', fill: '是，看看要填什么', cancel: '先放着：不说是也不说否' },
  fieldOf: (at, of) => (of === 1 ? '这一项' : `第 ${at} 项，共 ${of} 项`),
  wish: wishText,
  optional: '可以不填',
  leaveOut: '（不填）',
  misfit: '不符合要求。',
  yes: '是',
  no: '否',
  done: (chosen) => `选好了，共 ${chosen} 项`,
  maySend: (server) => `把这些发给服务器 ${server}？`,
  send: { change: '再看一遍', send: '是，发送', decline: '否，什么也不发' },
  mayVisit: (host, server) => `为服务器 ${server} 打开 ${host}？`,
  visit: { decline: '否', open: '是，用浏览器打开', self: '是，我自己打开' },
  notOpened: (why) => `打不开浏览器（${why}）。请自己打开这个地址。`,
  badForm: (server, fault) =>
    `服务器 ${server} 要人填写的不是合格的表单，已经回绝。（原文：${fault}）`,
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', '邮箱地址'],
  ['uri', '网址，如 https://example.org/'],
  ['date', '日期，写成 YYYY-MM-DD'],
  ['date-time', '时间，写成 YYYY-MM-DDThh:mm:ssZ'],
])

function wishText(wish: FieldWish): string {
  switch (wish.kind) {
    case 'boolean':
      return '是或否'
    case 'choice':
      return '从中选一个'
    case 'choices':
      return `从中选若干个${range(wish, ' 个')}`
    case 'integer':
      return `整数${range(wish)}`
    case 'number':
      return `数字${range(wish)}`
    default:
      return `${FORMATS.get(wish.format ?? '') ?? '文字'}${range(wish, ' 个字符')}`
  }
}

function range(
  { least, most }: { readonly least?: number; readonly most?: number },
  unit = '',
): string {
  const bounds = [
    ...(least === undefined ? [] : [`至少 ${least}${unit}`]),
    ...(most === undefined ? [] : [`至多 ${most}${unit}`]),
  ]
  return bounds.length === 0 ? '' : `，${bounds.join('，')}`
}
