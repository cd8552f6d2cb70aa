/** The way to a server: what its entry says as a transport. Opens nothing and loads nothing before it is opened. */

import type { Clock, Random } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { ServerEntry, UrlEntry } from '../config/entry.ts'
import type { Transport } from '../jsonrpc/link.ts'
import { http } from '../transport/node/http-client.ts'
import type { GroupWatch } from '../transport/node/server-process.ts'
import { stdio } from '../transport/node/stdio-client.ts'
import { webSocket } from '../transport/node/websocket.ts'

export interface TargetOptions {
  readonly clock?: Clock
  readonly random?: Random
  /** Default silent. */
  readonly logger?: Logger
  /** Hears of every process that is started for the server. Default: the watchdog of this process. */
  readonly watch?: GroupWatch
  /** Hears the bytes of stderr; a returned promise holds it up. Must neither throw nor reject. Default none. */
  readonly onStderr?: (bytes: Uint8Array) => void | Promise<void>
}

/** A transport named by the key of the entry. Throws `UsageError` for an address or headers that cannot be used. */
export function transportOf(entry: ServerEntry, options: TargetOptions = {}): Transport {
  if (entry.transport !== 'stdio') return overNetwork(entry, options)
  const { clock, logger, watch, onStderr } = options
  const { key, command, args, env, cwd } = entry
  return stdio({
    name: key,
    command,
    args,
    env,
    ...(cwd !== undefined && { cwd }),
    ...(clock !== undefined && { clock }),
    ...(logger !== undefined && { logger }),
    ...(watch !== undefined && { watch }),
    ...(onStderr !== undefined && { onStderr }),
  })
}

function overNetwork(entry: UrlEntry, { clock, random }: TargetOptions): Transport {
  const { key: name, url, headers, transport } = entry
  const own = { name, headers, ...(clock !== undefined && { clock }) }
  if (transport === 'websocket' || /^wss?:/i.test(url)) return webSocket(url, own)
  const way = transport === 'streamable-http' ? 'http' : transport
  return http(url, { ...own, transport: way, ...(random !== undefined && { random }) })
}
