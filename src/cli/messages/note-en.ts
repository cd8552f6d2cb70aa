/** The English of what servers do wrong without failing. */

import type { EntryFault, EntryNoun, EntryRemark, NoteWords } from './note-words.ts'

/** A noun, and what tells one entry from another. */
const NOUNS: Readonly<Record<EntryNoun, readonly [noun: string, key: string]>> = {
  tool: ['tool', 'name'],
  resource: ['resource', 'URI'],
  template: ['resource template', 'URI template'],
  prompt: ['prompt', 'name'],
}

const which = ({ noun, name, place }: EntryRemark): string =>
  name === undefined
    ? `${NOUNS[noun][0]} number ${place} of its list`
    : `its ${NOUNS[noun][0]} "${name}"`

const ENTRIES: Readonly<Record<EntryFault, (entry: EntryRemark) => string>> = {
  nameless: ({ noun, place }) =>
    `${NOUNS[noun][0]} number ${place} of its list has no ${NOUNS[noun][1]} and is left out.`,
  twice: ({ noun, name = '' }) =>
    `its list has a second ${NOUNS[noun][0]} with the ${NOUNS[noun][1]} "${name}", which is left out.`,
  inputSchema: (entry) =>
    `the inputSchema of ${which(entry)} is no object; the tool is offered all the same, as one without parameters.`,
  outputSchema: (entry) =>
    `the outputSchema of ${which(entry)} is no object; the tool is offered, and its results are not checked.`,
  'left-out': (entry) => `${which(entry)} is left out: ${entry.problem}.`,
  other: (entry) => `${which(entry)} is at fault: ${entry.problem}.`,
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : ` (${reason})`)

export const noteEn: NoteWords = {
  head: (server) => `warning: server "${server}": `,
  told: {
    entry: (entry) => ENTRIES[entry.fault](entry),
    'bad-contents': ({ part, uri }) =>
      `part ${part} of the resource "${uri}" has neither text nor data and is left out.`,
    'cursor-loop': ({ method }) =>
      `the list of ${method} goes in circles; what it held until then is used.`,
    stale: ({ method }) => `it could not be asked for ${method}; its earlier answer is used.`,
    'unexpected-request': ({ method }) =>
      `it asked for ${method} in a way that its protocol revision does not have, and gets no answer.`,
    'subscription-gaps': ({ names }) => `it does not tell of ${names.join(', ')}.`,
    duplicate: ({ id }) => `it answered request ${id} twice; the second answer is ignored.`,
    'unknown-id': ({ id }) =>
      `it answered a request that nobody made, with the id ${id}; the answer is ignored.`,
    'error-without-id': ({ message }) =>
      `it sent an error that belongs to no request, and ends none: "${message}".`,
    malformed: ({ text, reason }) =>
      `it sent an answer that cannot be read and names no request${because(reason)}; it is ignored: "${text}".`,
    stray: ({ text, reason }) =>
      text === ''
        ? `it sent what is no MCP message${because(reason)}, which is ignored.`
        : `it sent what is no MCP message${because(reason)}, which is ignored: "${text}".`,
    'too-large': ({ bytes }) =>
      `it sent a message of ${bytes.toLocaleString('en-US')} bytes, more than is accepted, which is skipped.`,
    'no-listening': ({ reason }) =>
      `what it says unasked, such as that its tools changed, is not heard: ${reason}.`,
    'session-ignored': ({ reason }) => `it named a session id that is ignored: ${reason}.`,
    'not-accepted': ({ isAnswer, reason }) =>
      `it did not take ${isAnswer ? 'the answer to its question' : 'a notification'}: ${reason}.`,
    more: () => 'more remarks of this kind are not shown.',
  },
  toAuthor: ' Tell the author of the server.',
}
