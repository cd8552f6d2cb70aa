/**
 * What values in a list of arguments are called: by the option before them, as a variable, or as a header. The one place that
 * knows how programs are given such things; whether a name says that the value is a secret is asked of `secret-names`.
 */

import { isSecretHeader, looksSecret } from './secret-names.ts'
import { secretsIn } from './secret-values.ts'

export interface NamedValue {
  readonly kind: 'option' | 'variable' | 'header'
  readonly name: string
  /** The value goes from here to the end of the argument. */
  readonly start: number
}

/** All that the value of one argument is called, or a part of it; most have no name. */
export function namesOf(args: readonly string[], at: number): readonly NamedValue[] {
  const word = args[at] ?? ''
  const before = args[at - 1] ?? ''
  return [
    ...headerOf(word, before),
    ...(word.startsWith('-') ? [] : optionOf(before)),
    ...assignmentOf(word),
  ]
}

/** The secrets of a list of arguments, by name or by their look. */
export function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((word, at) => {
    const names = namesOf(args, at)
    const named = names.filter(isSecret).flatMap(({ kind, start }) => {
      const value = word.slice(start)
      // The word before a token is no secret, the token by itself is one.
      return kind === 'header' ? [value, ...value.split(' ').slice(1)] : [value]
    })
    const called = names.find(({ start }) => start === 0)?.name ?? ''
    return [...named.filter((value) => value !== ''), ...secretsIn(called, word)]
  })
}

function isSecret({ kind, name }: NamedValue): boolean {
  return kind === 'header' ? isSecretHeader(name) : looksSecret(name)
}

/** `--header 'Name: value'`, `-H 'Name: value'` or `--header='Name: value'`. */
function headerOf(word: string, before: string): readonly NamedValue[] {
  const start = /^(?:--header|-H)$/.test(before) ? 0 : word.startsWith('--header=') ? 9 : undefined
  if (start === undefined) return []
  const [lead = '', name = ''] = /^ *([^\s:]+) *: */.exec(word.slice(start)) ?? []
  return name === '' ? [] : [{ kind: 'header', name, start: start + lead.length }]
}

/** `--name value` or `-n value`. */
function optionOf(before: string): readonly NamedValue[] {
  const name = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1]
  return name === undefined ? [] : [{ kind: 'option', name, start: 0 }]
}

/** `NAME=value`, as programs that start others take variables, or `--name=value`. */
function assignmentOf(word: string): readonly NamedValue[] {
  const [lead = '', dashes = '', name = ''] = /^(-{0,2})([A-Za-z_][\w-]*)=/.exec(word) ?? []
  if (name === '') return []
  return [{ kind: dashes === '' ? 'variable' : 'option', name, start: lead.length }]
}
