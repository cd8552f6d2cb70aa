/**
 * Why a file cannot be read as a whole: a name for each fault, which an error carries, and its words in English.
 *
 * Languages of the command line have a table of the same names. What is wrong with one entry is a problem of that entry.
 */

import type { DetailOf, FileFault } from '../base/error-detail.ts'
import type { ProblemValues } from './problem-words.ts'

/** What a sentence is filled with. */
export type FileFaultFacts = Omit<DetailOf<'file-unusable'>, 'kind'>

type Sentence = (facts: FileFaultFacts) => string

/** Each goes on after "because", without a full stop. */
const WORDS: Readonly<Record<FileFault, Sentence>> = {
  missing: () => 'it does not exist. Check its path',
  forbidden: () => 'it may not be read. Change its permissions',
  'no-file': () => 'it is no file',
  'too-large': ({ limit }) => `it is larger than ${limit} bytes. Split it`,
  'no-utf8': () => 'it is no UTF-8 text. Save it as UTF-8',
  'too-many-values': ({ limit }) => `it holds more than ${limit} values. Split it`,
  'too-deep': ({ limit }) => `it is nested deeper than ${limit} levels. Flatten it`,
  'too-odd': () => 'it is nested too deep or too odd to be read',
  'no-object': ({ reason }) => `it must be an object such as {"mcpServers": {…}}, and is ${reason}`,
  system: ({ reason }) => `${reason}`,
  'no-json': () => 'it is no JSON',
  'no-yaml': () => 'it is no YAML',
  'no-toml': ({ reason }) => `it is no TOML (${reason})`,
  'bad-word': () => 'a word stands here that is no value; texts need double quotes',
  'bad-number': () => 'a number is broken here',
  'needs-name': () => 'a name in double quotes should stand here',
  'needs-value': () => 'a value should stand here',
  'needs-colon': () => 'a ":" should stand here',
  'needs-comma': () => 'a "," should stand here',
  'needs-brace': () => 'a "}" is missing; something is not closed',
  'needs-bracket': () => 'a "]" is missing; something is not closed',
  'more-behind': () => 'something stands behind its end',
  'open-comment': () => 'a comment is not closed',
  'open-text': () => 'a text is not closed',
  'bad-unicode': () => 'an escape \\u in a text is broken',
  'bad-escape': () =>
    'a backslash in a text starts no escape; write two of them, as in "C:\\\\dir"',
  'control-character': () => 'a control character stands in a text; write \\n for a line end',
  'alias-properties': () => 'an alias has properties here',
  'alias-unknown': () => 'an alias stands here that names nothing',
  'bad-indent': () => 'the indentation is wrong here',
  'bad-yaml-escape': () =>
    'a backslash in a text starts no escape; use single quotes or write two of them',
  'long-key': () => 'a key spans several lines here; perhaps a quote or a blank is missing',
  'block-inside': () => 'a block stands inside brackets here',
  'not-closed': () => 'something is not closed here, or a blank or comma is missing',
  'several-documents': () => 'it holds several documents; keep one',
  'much-too-deep': () => 'it is nested too deep to be read',
  'tab-indent': () => 'a tab stands where blanks should',
  unexpected: () => 'something stands here that does not belong',
}

export function fileFaultInWords(facts: FileFaultFacts): string {
  return WORDS[facts.why](facts)
}

/** The same for a problem: its words, and what another language has to know. */
export function faultValues(facts: FileFaultFacts): ProblemValues {
  const { why, limit, reason: found } = facts
  return {
    reason: fileFaultInWords(facts),
    fault: why,
    ...(limit !== undefined && { limit }),
    ...(found !== undefined && { found }),
  }
}
