/**
 * Where requests for a URL go on Node: to which host, by which kept connections, through which proxy.
 *
 * One set belongs to one exchange; closing it lets go of all connections.
 */

import http from 'node:http'
import https from 'node:https'
import type { ConnectionOptions } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { asError } from '../../base/errors.ts'
import { parseProxy, proxyFromEnvironment, type Proxy } from './proxy.ts'
import { openTunnel } from './tunnel.ts'

/** What a TLS connection needs to know beside the usual: each as `node:tls` takes it. */
export interface TlsOptions {
  /** Certificates to trust in place of the well-known ones, as PEM. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[]
  /** A certificate of ours, as PEM, and its key. */
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly passphrase?: string
  /** False accepts any certificate: whoever is on the way can read and change everything. Default true. */
  readonly rejectUnauthorized?: boolean
  /** The name that the certificate must have. Default: the host of the URL. */
  readonly servername?: string
}

export interface TargetOptions {
  readonly tls: TlsOptions
  /** The URL of a proxy for every request, or false for none. Default: as the environment says. */
  readonly proxy: string | false | undefined
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly connectTimeoutMs: number
  /** How long a connection that nobody uses is kept, in ms; a server may ask for less. */
  readonly keepMs: number
}

/** How to make a request of Node's for one URL. */
export interface Target {
  readonly protocol: 'http:' | 'https:'
  readonly hostname: string
  readonly port: number
  readonly path: string
  readonly agent: http.Agent
  /** Headers that the URL alone decides, as names and values in turn. */
  readonly headers: readonly string[]
  /** For people. */
  readonly origin: string
}

/** Targets remembered by URL: a link has two or three. */
const MAX_KNOWN = 32
/** How long a connection may be silent before the system asks whether anyone is there, in ms. */
const PROBE_AFTER_MS = 30_000

export class HttpTargets {
  readonly #options: TargetOptions
  readonly #known = new Map<string, Target>()
  readonly #agents = new Map<string, http.Agent>()

  constructor(options: TargetOptions) {
    this.#options = options
  }

  /** Throws `UsageError` for a proxy that cannot be used. */
  of(url: string): Target {
    const known = this.#known.get(url)
    if (known !== undefined) return known
    const target = this.#make(new URL(url))
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(url, target)
    return target
  }

  /** Ends connections that nobody uses at this moment. */
  dropIdle(agent: http.Agent): void {
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
  }

  /** Ends all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
    this.#known.clear()
  }

  #make(url: URL): Target {
    const { origin } = url
    const secure = url.protocol === 'https:'
    const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
    const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    const path = `${url.pathname}${url.search}`
    const headers = ['host', url.host, 'accept-encoding', 'identity']
    const proxy = this.#proxyFor(url)
    if (proxy === undefined || secure) {
      const protocol = secure ? 'https:' : 'http:'
      const agent = proxy === undefined ? this.#direct(secure) : this.#tunnelled(proxy)
      return { protocol, hostname, port, path, agent, headers, origin }
    }
    // A proxy of plain HTTP is asked for the whole URL. // RFC 9112 §3.2.2
    const { authorization } = proxy
    if (authorization !== undefined) headers.push('proxy-authorization', authorization)
    return {
      protocol: proxy.secure ? 'https:' : 'http:',
      hostname: proxy.host,
      port: proxy.port,
      path: `${origin}${path}`,
      agent: this.#direct(proxy.secure),
      headers,
      origin,
    }
  }

  #proxyFor(url: URL): Proxy | undefined {
    const { proxy, variables } = this.#options
    if (proxy === false) return undefined
    return proxy === undefined ? proxyFromEnvironment(url, variables) : parseProxy(proxy)
  }

  #direct(secure: boolean): http.Agent {
    return this.#agent(secure ? 'https:' : 'http:', () =>
      secure
        ? new https.Agent({ ...this.#keeping(), ...this.#tls() })
        : new http.Agent(this.#keeping()),
    )
  }

  #tunnelled(proxy: Proxy): http.Agent {
    const { clock, connectTimeoutMs: timeoutMs } = this.#options
    return this.#agent(`through ${proxy.name}`, () => {
      const agent = new https.Agent(this.#keeping())
      agent.createConnection = ({ host, port }, done) => {
        const server = host ?? ''
        const tls = { servername: server, ...this.#tls() }
        openTunnel({ proxy, host: server, port: Number(port), tls, clock, timeoutMs }).then(
          (socket) => done?.(null, socket),
          // The type wants a socket beside an error, and no caller looks at one.
          (error: unknown) => done?.(asError(error), undefined as never),
        )
        return undefined
      }
      return agent
    })
  }

  #agent(key: string, make: () => http.Agent): http.Agent {
    const known = this.#agents.get(key)
    if (known !== undefined) return known
    const agent = make()
    this.#agents.set(key, agent)
    return agent
  }

  #keeping(): http.AgentOptions {
    return {
      keepAlive: true,
      keepAliveMsecs: PROBE_AFTER_MS,
      // Only idle connections are ended by this: one that is used may be silent for as long as it likes.
      timeout: this.#options.keepMs,
      maxFreeSockets: 64,
      scheduling: 'lifo',
    }
  }

  #tls(): ConnectionOptions {
    const { ca, ...rest } = this.#options.tls
    if (ca === undefined) return rest
    return { ...rest, ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] }
  }
}
