/**
 * What a person should know before answering a server: fields that ask for secrets, addresses that are not what they look
 * like. Nothing here fetches anything. // ELIC-20
 */

import type { ElicitFormParams } from '../protocol/types/elicitation.ts'

/**
 * What a person should know, as a word: a field of a form, or its message, seems to ask for a secret; a text of it holds an address; the
 * host of a page is written in another alphabet, is a bare number, or is this machine.
 */
export type Concern =
  | { readonly kind: 'secret-field'; readonly field: string }
  | {
      readonly kind:
        | 'secret-message'
        | 'address'
        | 'other-alphabet'
        | 'bare-number'
        | 'this-machine'
    }

/** An address as it would be opened, or why it never is. */
export type ReadVisit =
  | {
      readonly url: string
      readonly host: string
      readonly warnings: readonly string[]
      readonly concerns: readonly Concern[]
    }
  | { readonly fault: string }

const MAX_URL = 8_192
/** What fields are called that ask for what no form may ask for. Words, in the languages that servers are written in. */
const SECRET =
  /pass[\s_-]?(?:word|wd|phrase|code)|secret|api[\s_-]?key|private[\s_-]?key|access[\s_-]?key|token|credential|card[\s_-]?number|credit[\s_-]?card|cvv|cvc|\bpin\b|\bssn\b|\botp\b|seed[\s_-]?phrase|密码|口令|密钥|令牌|验证码|卡号/iu
const LINK = /\bhttps?:\/\/|\bwww\./i
/** Texts are looked at so far; a form has no reason to be longer. */
const MAX_TEXT = 2_000

/** Fields that ask for a secret, and addresses in texts. // ELIC-12, ELIC-22 */
export function formConcerns({ message, requestedSchema }: ElicitFormParams): readonly Concern[] {
  const fields = Object.entries(requestedSchema.properties ?? {}).slice(0, 200)
  const secret = fields.filter(([name, { title, description }]) =>
    [name, title, description].some((text) => SECRET.test(cut(text))),
  )
  const texts = [message, ...fields.flatMap(([, field]) => [field.title, field.description])]
  return [
    ...secret.map(([name]): Concern => ({ kind: 'secret-field', field: name.slice(0, 100) })),
    ...(secret.length === 0 && SECRET.test(cut(message)) ? [SECRET_MESSAGE] : []),
    ...(texts.some((text) => LINK.test(cut(text))) ? [ADDRESS] : []),
  ]
}

const SECRET_MESSAGE: Concern = { kind: 'secret-message' }
const ADDRESS: Concern = { kind: 'address' }

/** One sentence a concern. */
export function warningsOf(concerns: readonly Concern[]): readonly string[] {
  return concerns.map((concern) =>
    concern.kind === 'secret-field'
      ? `The field ${JSON.stringify(concern.field)} seems to ask for a secret. Servers may not do so in a form: leave it empty, or decline.`
      : SENTENCES[concern.kind],
  )
}

const SENTENCES: Readonly<Record<Exclude<Concern['kind'], 'secret-field'>, string>> = {
  'secret-message':
    'The message seems to ask for a secret. Servers may not do so in a form: decline.',
  address: 'A text of the form holds an address. Do not follow it.',
  'other-alphabet':
    'The name of the host is written in another alphabet and may only look familiar.',
  'bare-number': 'The host is a bare number.',
  'this-machine': 'The address is on this machine.',
}

/** Reads the address of a visit. Only `https:` is opened, and `http:` on this machine. // ELIC-21, ELIC-22 */
export function readVisit(address: string): ReadVisit {
  if (address.length > MAX_URL) return { fault: `it is longer than ${MAX_URL} characters` }
  // What URL readers drop or turn silently is what makes two readers differ.
  if (/[\s\p{C}\\]/u.test(address))
    return { fault: 'it holds blanks, backslashes or characters that cannot be seen' }
  if (!URL.canParse(address)) return { fault: 'it is no URL' }
  const url = new URL(address)
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local))
    return { fault: `"${url.protocol.slice(0, 20)}" is no https: address` }
  if (url.username !== '' || url.password !== '')
    return { fault: 'it holds a user name, which makes another host look like the one it goes to' }
  const { href, host, hostname } = url
  const kinds = [
    ...(/(?:^|\.)xn--/i.test(hostname) ? (['other-alphabet'] as const) : []),
    ...(/^[\d.]+$|^\[/.test(hostname) && !local ? (['bare-number'] as const) : []),
    ...(local ? (['this-machine'] as const) : []),
  ]
  const concerns = kinds.map((kind) => ({ kind }))
  return { url: href, host, concerns, warnings: warningsOf(concerns) }
}

function cut(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, MAX_TEXT) : ''
}
