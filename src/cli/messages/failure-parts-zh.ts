/** 几张错误表共用的说法：是哪个服务器，为什么，最后说了什么。 */

import { TransportError, type PilotError } from '../../base/errors.ts'
import { tellingWords } from '../../transport/node/stderr-lines.ts'
import { systemReasonZh } from './system-reasons-zh.ts'

export const quote = (text: string): string => `“${text}”`

export const serverOf = ({ server }: PilotError): string =>
  server === undefined ? '服务器' : `服务器${quote(server)}`

/** 方法名作主语，后面隔一个空格；不知道是哪个方法时用 `otherwise`。 */
export const subject = (method: string | undefined, otherwise: string): string =>
  method === undefined ? otherwise : `${method} `

/** `：原因`，没有原因则为空。 */
export const because = (error: PilotError, reason: string | undefined): string =>
  reason === undefined && error.cause === undefined
    ? ''
    : `：${withoutStop(systemReasonZh(error.cause, reason))}`

/** What stands in the midst of a sentence ends without its own full stop. */
export const withoutStop = (text: string): string => text.trim().replace(/[.。!！]+$/, '')

/** 进程最后在 stderr 上说的话，一句。 */
export function lastWordsZh(error: PilotError): string {
  const stderr = error instanceof TransportError ? (error.stderr ?? '') : ''
  const words = tellingWords(stderr)
  return words === ''
    ? '它没有向 stderr 写任何内容；请手动运行它的命令看看。'
    : `它最后在 stderr 上说：${withoutStop(words)}。`
}

/** 写到输出上、却不是消息的那一行，接在句子之后。 */
export const saidZh = (output: string | undefined): string =>
  output === undefined ? '' : `：${quote(output)}`

/** 它写到输出上的内容不是消息，一句。 */
export const strayZh = (output: string | undefined): string =>
  `它写到输出上的内容不是 MCP 消息${saidZh(output)}。`
