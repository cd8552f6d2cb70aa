/**
 * Which values of a server that is about to be written into a file look like secrets, by their names or by their own look, and
 * are written out. A reference to a variable is none; the text that stands in for one is.
 */

import type { NewServer } from './new-server.ts'
import { namesOf } from './secret-arguments.ts'
import { isSecretHeader, isSecretItself } from './secret-names.ts'
import { secretsIn, secretsOfAddress } from './secret-values.ts'

/** They are called as `config explain` calls them: `env/TOKEN`, `args/1`, `headers/Authorization`, `url`. */
export function literalSecrets(server: NewServer): readonly string[] {
  if (server.kind === 'url')
    return [
      ...(isSecretAddress(server.url) ? ['url'] : []),
      ...namedTexts('headers', server.headers, isSecretHeader),
    ]
  const { command, args, env } = server
  return [
    ...(holdsAny(secretsIn('command', literalOf(command))) ? ['command'] : []),
    ...args.flatMap((_, at) => (isSecretArgument(args, at) ? [`args/${at}`] : [])),
    ...namedTexts('env', env, isSecretItself),
  ]
}

function namedTexts(
  kind: string,
  texts: Readonly<Record<string, string>>,
  isSecret: (name: string) => boolean,
): readonly string[] {
  return Object.entries(texts)
    .filter(([name, text]) => isWritten(isSecret(name), name, text))
    .map(([name]) => `${kind}/${name}`)
}

function isSecretArgument(args: readonly string[], at: number): boolean {
  const word = args[at] ?? ''
  const names = namesOf(args, at)
  const called = names.find(({ start }) => start === 0)?.name ?? ''
  return (
    isWritten(false, called, word) ||
    (/^(?:https?|wss?):/i.test(word) && isSecretAddress(word)) ||
    names.some(({ kind, name, start }) =>
      isWritten(
        kind === 'header' ? isSecretHeader(name) : isSecretItself(name),
        name,
        word.slice(start),
      ),
    )
  )
}

function isWritten(isNamed: boolean, name: string, text: string): boolean {
  const literal = literalOf(text)
  return (isNamed && !NOTHING.test(literal)) || holdsAny(secretsIn(name, literal))
}

/** Where it is may be a reference, so what follows is looked at behind another host. The path of a socket is no secret. */
function isSecretAddress(address: string): boolean {
  if (/^unix:/i.test(address)) return false
  const rest = literalOf(address).replace(/^(?:\w+:\/\/)?[^/?#]*/, '')
  return holdsAny(secretsOfAddress(`http://host${rest}`))
}

/** The word before a token that is a reference is no secret. */
const NOTHING = /^\s*(?:bearer|basic|token|digest)?\s*$/i

/** Without references. What is taken where a variable is not set stands in the file, and stays. */
function literalOf(text: string): string {
  return text.replaceAll(/\$\{([^{}]*)\}/g, (_, inner: string) => {
    const at = inner.indexOf(':-')
    return at < 0 ? ' ' : inner.slice(at + 2)
  })
}

/** Parts of an address that were references are blanks. */
function holdsAny(secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret.trim() !== '')
}
