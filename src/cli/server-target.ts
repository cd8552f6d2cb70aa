/**
 * Which server a command talks to: one that is started from the words after `--`, or one at the address of `--url`.
 *
 * It only reads what was typed. Addresses and headers may hold secrets, so nothing of them stands in an error.
 */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { keyRules } from '../capture/redact-keys.ts'
import type { Invocation } from './invocation.ts'
import type { FaultWords } from './messages/messages.ts'
import { longEnough } from './secrets.ts'
import type { ServerOptions, TransportChoice } from './server-options.ts'

export type Target =
  | { readonly kind: 'process'; readonly words: readonly [string, ...string[]] }
  | { readonly kind: 'http'; readonly url: string; readonly transport: 'auto' | 'http' | 'sse' }
  | { readonly kind: 'websocket'; readonly url: string }
  | { readonly kind: 'socket'; readonly path: string }

/** What a kind of target can be reached by, beside `auto`. */
const CARRIERS: Readonly<Record<Target['kind'], readonly TransportChoice[]>> = {
  process: ['stdio'],
  http: ['http', 'sse'],
  websocket: ['ws'],
  socket: [],
}

/** The server that was named. `typed` is the command as typed so far, `stray` are words that belong to nothing. Throws `UsageError`. */
export function targetOf(
  invocation: Invocation,
  { typed, stray = [] }: { readonly typed: string; readonly stray?: readonly string[] },
  options: ServerOptions,
): Target {
  const { serverWords, messages } = invocation
  const { faults } = messages
  const { url, transport = 'auto' } = options
  if (url !== undefined && serverWords !== undefined) throw new UsageError(faults.twoServers)
  const target =
    url === undefined ? processOf(invocation, typed, stray) : addressOf(url, transport, faults)
  if (url !== undefined && stray.length > 0)
    throw new UsageError(faults.excessArguments(stray.map(terminalText).join(' ')))
  refuseUnfit(target, options, faults)
  return target
}

function processOf(
  { serverWords, messages }: Invocation,
  typed: string,
  stray: readonly string[],
): Target {
  const { faults } = messages
  const [first] = stray
  if (serverWords === undefined) {
    throw new UsageError(
      faults.noSeparator(typed, first === undefined ? undefined : terminalText(first)),
    )
  }
  if (first !== undefined)
    throw new UsageError(faults.excessArguments(stray.map(terminalText).join(' ')))
  const [command, ...args] = serverWords
  if (command === undefined || command === '') throw new UsageError(faults.noServerCommand(typed))
  return { kind: 'process', words: [command, ...args] }
}

/**
 * Throws a `UsageError` for an address that no server can be at, and for options that do not go with it. References to variables may
 * stand in it; of one that begins with a reference nothing is known.
 */
export function checkAddress(url: string, options: ServerOptions, faults: FaultWords): void {
  if (url.startsWith('${')) return
  const filled = url.replaceAll(/(:?)\$\{[^}]*\}/g, (_, colon) => (colon === '' ? 'x' : ':1'))
  refuseUnfit(addressOf(filled, options.transport ?? 'auto', faults), options, faults)
}

function addressOf(url: string, transport: TransportChoice, faults: FaultWords): Target {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'http':
    case 'https':
    case 'ws':
    case 'wss':
      if (!URL.canParse(url)) throw new UsageError(faults.brokenUrl)
      if (scheme.startsWith('ws')) return { kind: 'websocket', url }
      return {
        kind: 'http',
        url,
        transport: transport === 'sse' || transport === 'http' ? transport : 'auto',
      }
    case 'unix': {
      // Of `unix:///run/x` the slashes of an address without a host go.
      const path = url.slice('unix:'.length).replace(/^\/\/(?=\/)/, '')
      if (path === '') throw new UsageError(faults.brokenUrl)
      return { kind: 'socket', path }
    }
    default:
      throw new UsageError(faults.badUrl)
  }
}

/** Options that mean nothing for this server are mistakes, not silence. */
function refuseUnfit(target: Target, options: ServerOptions, faults: FaultWords): void {
  const { transport = 'auto', header = [], env = [], cwd } = options
  if (transport !== 'auto' && !CARRIERS[target.kind].includes(transport))
    throw new UsageError(faults.unfitTransport(transport, ['auto', ...CARRIERS[target.kind]]))
  const hasHead = target.kind === 'http' || target.kind === 'websocket'
  if (header.length > 0 && !hasHead) throw new UsageError(faults.unfitOption('-H'))
  if (target.kind === 'process') return
  if (env.length > 0) throw new UsageError(faults.unfitOption('--env'))
  if (cwd !== undefined) throw new UsageError(faults.unfitOption('--cwd'))
}

export interface HeaderWishes {
  readonly headers: Readonly<Record<string, string>>
  /** Texts in them that must not be shown. */
  readonly secrets: readonly string[]
}

/** `Name: value` words as headers. In a value `${NAME}` stands for a variable of the environment. Throws `UsageError`. */
export function headersOf(
  { env, messages }: Pick<Invocation, 'env' | 'messages'>,
  words: readonly string[],
): HeaderWishes {
  const { faults } = messages
  const names = keyRules()
  const headers = new Map<string, string>()
  const secrets: string[] = []
  for (const word of words) {
    const at = word.indexOf(':')
    const name = word.slice(0, Math.max(at, 0)).trim()
    if (name === '' || /[\s"'=]/.test(name)) throw new UsageError(faults.badHeader)
    const value = word
      .slice(at + 1)
      .trim()
      .replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, variable: string) => {
        const found = env[variable]
        if (found === undefined)
          throw new UsageError(faults.unsetHeaderVariable(terminalText(name), variable))
        secrets.push(found)
        return found
      })
    if (names.isSecret(name)) secrets.push(value, ...value.split(' ').slice(1))
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { headers: Object.fromEntries(headers), secrets: secrets.filter(longEnough) }
}

/** What an address holds that must not be shown: the password, and query parameters whose names say so. */
export function secretsOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { username, password, searchParams } = new URL(text)
  const names = keyRules()
  const hidden = [...searchParams]
    .filter(([name]) => names.isSecret(name))
    .map(([, value]) => value)
  const pair = password === '' ? [] : [password, decoded(password), decoded(username)]
  return [...pair, ...hidden].filter(longEnough)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray percent sign: what was written is what was meant
  }
}
