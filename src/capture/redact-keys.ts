/**
 * Which names stand for secrets: of JSON members, headers, variables, flags and query parameters alike.
 *
 * Names are compared without case and separators, so `API-Key`, `api_key` and `apiKey` are one.
 */

export interface KeyRules {
  /** Whether the value under this name is a secret. */
  isSecret(name: string): boolean
}

/** Whole names. */
const EXACT: ReadonlySet<string> = new Set([
  'env',
  'environ',
  'jwt',
  'bearer',
  'otp',
  'pwd',
  'cookies',
  'codeverifier',
  'assertion',
  'clientassertion',
  'connectionstring',
  'mcpsessionid',
  '密码',
  '口令',
  '密钥',
  '令牌',
])

/** Ends of names: `accessToken`, `X-Api-Key`, `Set-Cookie`. */
const ENDS: readonly string[] = [
  'token',
  'authorization',
  'cookie',
  'credential',
  'credentials',
  'accesskey',
  'signingkey',
  'encryptionkey',
  'pwd',
]

/** Parts that make a name secret wherever they stand: `dbPassword2`, `client_secret_prod`. */
const PARTS: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'apikey',
  'privatekey',
]

/** Tokens that carry no right: protocol words and cursors. Hiding them would break replay and tell nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
  'progresstoken',
  'pagetoken',
  'nextpagetoken',
  'prevpagetoken',
  'continuationtoken',
  'partialresulttoken',
  'workdonetoken',
  'canceltoken',
  'cancellationtoken',
])

/**
 * Everything a secret name contains, to find out in one pass that a text has none. A quote may be escaped up to
 * three times after `env`, which would otherwise be found in every "environment".
 */
export const SECRET_WORDS: RegExp =
  /token|authorization|cookie|credential|passw|passphrase|passcode|secret|pwd|jwt|bearer|otp|assertion|verifier|(?:api|access|private|signing|encryption)[-_. ]?key|connection[-_. ]?string|session[-_. ]?id|env(?:iron)?(?:\\{0,7}["']|[=:])|密码|口令|密钥|令牌/i

/** Verdicts kept; names repeat, and working one out costs more than looking it up. */
const MAX_REMEMBERED = 4096

/** Longest name looked at; a longer one is no name. */
const MAX_NAME = 128

/** The rules with more names (`extra`) and without some (`keep`); `keep` wins. */
export function keyRules(extra: readonly string[] = [], keep: readonly string[] = []): KeyRules {
  const more = new Set(extra.map(plainName))
  const less = new Set(keep.map(plainName))
  const remembered = new Map<string, boolean>()
  return {
    isSecret(name) {
      const known = remembered.get(name)
      if (known !== undefined) return known
      if (name.length > MAX_NAME) return false
      const plain = plainName(name)
      const verdict = !less.has(plain) && (more.has(plain) || soundsSecret(plain))
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(name, verdict)
      return verdict
    },
  }
}

function soundsSecret(plain: string): boolean {
  if (HARMLESS.has(plain)) return false
  const bare = plain.replace(/[0-9]{1,4}$/, '')
  return (
    EXACT.has(bare) ||
    ENDS.some((end) => bare.endsWith(end)) ||
    PARTS.some((part) => bare.includes(part))
  )
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '')
}
