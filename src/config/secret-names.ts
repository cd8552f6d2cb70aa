/**
 * Guesses by a name whether its value is a secret. Guesses generously: a text that is masked for nothing costs a look into
 * the file, one that is not masked costs a password.
 */

const SECRET =
  /pass(word|wd|phrase)?|pwd|secret|token|api[-_]?key|(^|[-_])key($|[-_])|apikey|credential|auth|cookie|session|private|signature|bearer|jwt|dsn|connection[-_]?string|(^|[-_])pat($|[-_])/i

/** Whether a variable, header, parameter or option of this name holds a secret. */
export function looksSecret(name: string): boolean {
  return SECRET.test(name)
}

/** What names a program, a file or another variable. `profile` and `subscription` name neither. */
const POINTING =
  /command|cmd|exec|helper|process|program|(?<!sub)script|shell|hook|path|(?<!pro)file|env_?var$/i

/** Whether the value of this name is the secret itself, and nothing that says where it is or what gives it. */
export function isSecretItself(name: string): boolean {
  return looksSecret(name) && !POINTING.test(name)
}

/** Headers whose values are known to be harmless. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'user-agent',
])

/** Whether the value of a header is to be masked: that of every header but a few. */
export function isSecretHeader(name: string): boolean {
  return !HARMLESS.has(name.toLowerCase())
}
