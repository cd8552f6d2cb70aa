/**
 * Which proxy a request goes by, from what the environment or an option says. Pure; connecting is `tunnel.ts`.
 *
 * Addresses of this machine are never asked of a proxy: it would look for them on its own.
 */

import { UsageError } from '../../base/errors.ts'

/** A proxy, its credentials taken out of the URL. */
export interface Proxy {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** For `Proxy-Authorization`. */
  readonly authorization: string | undefined
  /** For people: no credentials. */
  readonly name: string
}

type Variables = Readonly<Record<string, string | undefined>>

/** The proxy for a URL by the usual variables; undefined when there is none to go by. Throws `UsageError` for one that is unusable. */
export function proxyFromEnvironment(target: URL, variables: Variables): Proxy | undefined {
  if (isLocal(target.hostname)) return undefined
  const given = target.protocol === 'https:' ? secureProxy(variables) : plainProxy(variables)
  if (given === undefined || isExempt(target, value(variables, 'no_proxy') ?? '')) return undefined
  return parseProxy(given)
}

/** What a URL says of a proxy. A bare `host:port` is one of HTTP. */
export function parseProxy(given: string): Proxy {
  let url: URL
  try {
    url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`)
  } catch {
    throw new UsageError('The address of the proxy is no URL. Write it as "http://host:port".', {
      detail: { kind: 'bad-address', what: 'proxy' },
    })
  }
  const { protocol, username, password } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new UsageError(
      `A proxy of the kind "${protocol}" is not spoken here. Use one of http: or https:.`,
      { detail: { kind: 'bad-address', what: 'proxy', scheme: protocol } },
    )
  }
  const secure = protocol === 'https:'
  const pair = `${decoded(username)}:${decoded(password)}`
  return {
    secure,
    host: bare(url.hostname),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    authorization: pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`,
    name: url.host,
  }
}

function secureProxy(variables: Variables): string | undefined {
  return value(variables, 'https_proxy') ?? value(variables, 'all_proxy')
}

function plainProxy(variables: Variables): string | undefined {
  // In a CGI process HTTP_PROXY is the header "Proxy" of whoever asks, and not ours.
  const ours = variables['REQUEST_METHOD'] === undefined
  const given = ours ? value(variables, 'http_proxy') : variables['http_proxy']
  return (given === '' ? undefined : given) ?? value(variables, 'all_proxy')
}

/** In lower case first, as most programs read it; an empty value counts as none. */
function value(variables: Variables, name: string): string | undefined {
  const given = variables[name] ?? variables[name.toUpperCase()]
  return given === undefined || given.trim() === '' ? undefined : given.trim()
}

/** Whether the list names the host: itself, a domain it is in, either with a port; `*` names all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname)
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      const [name, atPort] = splitPort(entry)
      if (name === '' || (atPort !== undefined && atPort !== ownPort)) return false
      const domain = name.replace(/^\*?\./, '')
      return host === domain || host.endsWith(`.${domain}`)
    })
}

function splitPort(entry: string): readonly [string, string | undefined] {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry)
  // More than one colon without brackets is an IPv6 address.
  return match === null ? [entry, undefined] : [match[1] ?? match[2] ?? '', match[3]]
}

function isLocal(hostname: string): boolean {
  const host = bare(hostname)
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}

/** A host without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray percent sign: what was written is what was meant
  }
}
