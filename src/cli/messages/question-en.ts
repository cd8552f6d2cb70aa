/** What the program says around the questions of servers, in English. */

import type { FieldWish } from '../asked/form-fields.ts'
import type { QuestionWords } from './question-words.ts'

export const questionEn: QuestionWords = {
  server: 'Server',
  message: 'It says',
  warning: 'Warning',
  host: 'Host',
  address: 'Address',
  field: 'Field',
  about: 'About',
  wanted: 'Wanted',
  filledIn: 'Filled in',
  preset: 'So far',
  keep: 'Keep it as it is',
  anew: 'Write it anew',
  concern(concern) {
    switch (concern.kind) {
      case 'secret-field':
        return `The field ${JSON.stringify(concern.field)} seems to ask for a secret. Servers may not do so in a form: leave it out, or decline.`
      case 'secret-message':
        return 'The message seems to ask for a secret. Servers may not do so in a form: decline.'
      case 'address':
        return 'A text of the form holds an address. Do not follow it.'
      case 'other-alphabet':
        return 'The name of the host is written in another alphabet and may only look familiar.'
      case 'bare-number':
        return 'The host is a bare number.'
      default:
        return 'The address is on this machine.'
    }
  },
  mayFill: (server, fields) =>
    fields === 0
      ? `Say yes to the server ${server}?`
      : `Fill in ${fields === 1 ? 'a field' : `${fields} fields`} for the server ${server}?`,
  fill: { decline: 'No', fill: 'Yes, look at it', cancel: 'Not now: neither yes nor no' },
  fieldOf: (at, of) => (of === 1 ? 'The field' : `Field ${at} of ${of}`),
  wish: wishText,
  optional: 'may be left out',
  leaveOut: '(leave it out)',
  misfit: 'That does not fit.',
  yes: 'Yes',
  no: 'No',
  done: (chosen) => `Done, with ${chosen} chosen`,
  maySend: (server) => `Send this to the server ${server}?`,
  send: { change: 'Go through it again', send: 'Yes, send it', decline: 'No, send nothing' },
  mayVisit: (host, server) => `Visit ${host} for the server ${server}?`,
  visit: {
    decline: 'No',
    open: 'Yes, open it in the browser',
    self: 'Yes, and I open it myself',
  },
  notOpened: (why) => `No browser could be opened (${why}). Open the address yourself.`,
  badForm: (server, fault) =>
    `The server ${server} wanted a form to be filled in that is none: it ${fault}. It was refused.`,
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', 'an email address'],
  ['uri', 'an address, as https://example.org/'],
  ['date', 'a date, as YYYY-MM-DD'],
  ['date-time', 'a time, as YYYY-MM-DDThh:mm:ssZ'],
])

function wishText(wish: FieldWish): string {
  switch (wish.kind) {
    case 'boolean':
      return 'yes or no'
    case 'choice':
      return 'one of the choices'
    case 'choices':
      return `any of the choices${range(wish)}`
    case 'integer':
      return `a whole number${range(wish)}`
    case 'number':
      return `a number${range(wish)}`
    default:
      return `${FORMATS.get(wish.format ?? '') ?? 'a text'}${range(wish, ' characters')}`
  }
}

function range(
  { least, most }: { readonly least?: number; readonly most?: number },
  unit = '',
): string {
  const bounds = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ]
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}${unit}`
}
