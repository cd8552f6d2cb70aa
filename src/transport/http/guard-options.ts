/** The names by which a server may be called and the origins of pages that may call it, as its owner writes them. */

import { UsageError } from '../../base/errors.ts'

export interface GuardOptions {
  /**
   * Values of `Host` to accept, as in `mcp.example.com` or `mcp.example.com:8080`; without a port the name also stands for
   * itself with the port that is listened on. Default: `localhost`, `127.0.0.1` and its like, and `[::1]`, with that port.
   */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of pages that may call, as in `https://app.example.com`. Default: those of this machine with the same port. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Accepts any `Host`. Default false. */
  readonly anyHost?: boolean | undefined
}

/** Throws `UsageError` for an entry that could never match: said at once, before what looks at requests is loaded. */
export function checkGuardOptions({ allowedHosts, allowedOrigins }: GuardOptions): void {
  allowedHosts?.forEach(checkedHost)
  allowedOrigins?.forEach(checkedOrigin)
}

/** A value of `Host`, in lower case. Throws `UsageError` for what could never match. */
export function checkedHost(host: string): string {
  if (/^[\w.-]+(?::\d{1,5})?$/.test(host) || /^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(host))
    return host.toLowerCase()
  throw new UsageError(
    `allowedHosts has ${JSON.stringify(host)}, which is no host. Write it as the Host header does: "mcp.example.com" or "mcp.example.com:8080".`,
    { detail: { kind: 'bad-host', host } },
  )
}

/** The same for an origin. Throws `UsageError`. */
export function checkedOrigin(origin: string): string {
  let parsed: URL | undefined
  try {
    parsed = new URL(origin)
  } catch {
    // Said below, together with addresses that are more than an origin.
  }
  if (parsed !== undefined && parsed.origin === origin && origin !== 'null') return origin
  throw new UsageError(
    `allowedOrigins has ${JSON.stringify(origin)}, which is no origin. Write scheme, host and port only, as in "https://app.example.com".`,
  )
}
