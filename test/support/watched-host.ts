/** A host and everything that it told of its servers, to be waited for by events. */
import { Host } from '../../src/host/host.ts'
import type { HostOptions } from '../../src/host/host-options.ts'
import type { ServerStatus } from '../../src/host/state.ts'
import { configOf } from '../../src/config/config.ts'
import type { ServerEntry } from '../../src/config/entry.ts'
import { ALLOW_ALL } from './host-entries.ts'

export interface WatchedHost extends AsyncDisposable {
  readonly host: Host
  /** State and reason of one server in the order of their coming, each once until another one comes. */
  told(key: string): readonly string[]
  /** Forgets what was told so far. */
  forget(): void
  /** The status that a server has once it fits: now, or when it is told. */
  until(key: string, fits: (status: ServerStatus) => boolean): Promise<ServerStatus>
  status(key: string): ServerStatus
}

/** Pauses before restarts are as short as chance makes them, so that a test of many of them is short as well. */
const NO_PAUSE = (bytes: number): Uint8Array => new Uint8Array(bytes)

/** Opens a host in which every call is allowed, with nothing kept on disk unless the options say where. */
export async function openWatched(
  entries: readonly ServerEntry[],
  options: HostOptions = {},
): Promise<WatchedHost> {
  const statuses: ServerStatus[] = []
  const ears = new Set<() => void>()
  let begin = 0
  const host = await Host.open(configOf(entries), {
    policy: ALLOW_ALL,
    random: NO_PAUSE,
    lock: false,
    ...options,
    onStatus: (status) => {
      statuses.push(status)
      for (const ear of ears) ear()
    },
  })
  const status = (key: string): ServerStatus => {
    const found = host.servers().find((one) => one.key === key)
    if (found === undefined) throw new Error(`The host has no server "${key}".`)
    return found
  }
  return {
    host,
    told(key) {
      const words = statuses
        .slice(begin)
        .filter((one) => one.key === key)
        .map(({ state, whyKind }) => `${state} ${whyKind}`)
      return words.filter((word, at) => word !== words[at - 1])
    },
    forget: () => void (begin = statuses.length),
    status,
    async until(key, fits) {
      for (;;) {
        const now = status(key)
        if (fits(now)) return now
        await new Promise<void>((resolve) => {
          const ear = (): void => {
            ears.delete(ear)
            resolve()
          }
          ears.add(ear)
        })
      }
    },
    [Symbol.asyncDispose]: () => host.close(),
  }
}
