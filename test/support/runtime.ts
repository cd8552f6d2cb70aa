/** Servers of a host under a clock that stands still, and what they told of themselves. */
import { afterEach } from 'vitest'
import '../../src/client/recovery.ts'
import '../../src/client/rescue.ts'
import type { StdioEntry } from '../../src/config/entry.ts'
import type { AttachedServer } from '../../src/host/attached.ts'
import { Registry, type RegistryOptions } from '../../src/host/registry.ts'
import type { Offer } from '../../src/host/server-parts.ts'
import type { ServerStatus } from '../../src/host/state.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import { fakeClock, type FakeClock } from './fake-clock.ts'
import { settle } from './recovery.ts'

const LONGEST = (): Uint8Array => new Uint8Array([255, 255])

/** An entry as a file of the user would give it. */
export function entryOf(key: string, rest: Partial<StdioEntry> = {}): StdioEntry {
  return {
    key,
    scope: 'user',
    place: { file: '/home/ada/.deep-pilot/config.json', line: 3, pointer: `/mcpServers/${key}` },
    shape: 'deep-pilot',
    approved: true,
    disabled: false,
    start: 'optional',
    trusted: false,
    timeouts: {},
    labels: [],
    toolLabels: new Map(),
    secrets: [],
    origins: [],
    written: {},
    transport: 'stdio',
    command: key,
    args: [],
    env: {},
    ...rest,
  }
}

export interface Scene {
  readonly clock: FakeClock
  readonly registry: Registry
  /** Every state with its reason, in order, by server. */
  readonly told: Map<string, string[]>
  readonly statuses: ServerStatus[]
  readonly offers: { readonly key: string; readonly offer: Offer | undefined }[]
}

const registries: Registry[] = []
afterEach(async () => {
  for (const registry of registries.splice(0)) await registry.close()
})

/** A registry whose servers are reached by these transports, looked up by key for each opening. */
export function sceneOf(
  transports: Readonly<Record<string, Transport>>,
  options: RegistryOptions = {},
): Scene {
  const clock = fakeClock()
  const told = new Map<string, string[]>()
  const statuses: ServerStatus[] = []
  const offers: Scene['offers'] = []
  const registry = new Registry({
    clock,
    random: LONGEST,
    transport: ({ key }) => transports[key],
    onStatus: (status) => {
      statuses.push(status)
      const { key, state, whyKind } = status
      told.set(key, [...(told.get(key) ?? []), `${state} ${whyKind}`])
    },
    onOffer: (key, offer) => offers.push({ key, offer }),
    ...options,
  })
  registries.push(registry)
  return { clock, registry, told, statuses, offers }
}

/** One server, attached and settled. */
export async function attached(
  transport: Transport,
  rest: Partial<StdioEntry> = {},
  options: RegistryOptions = {},
): Promise<Scene & { readonly server: AttachedServer }> {
  const scene = sceneOf({ s: transport }, options)
  const server = scene.registry.attach(entryOf('s', rest))
  await settle()
  return { ...scene, server }
}

/** The same way to a server, whose links take until `release` to be gone. */
export function slowToEnd(transport: Transport): {
  readonly transport: Transport
  readonly release: () => void
} {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  return {
    release: () => release(),
    transport: {
      ...transport,
      async open(port, signal) {
        const link = await transport.open(port, signal)
        return {
          get backlogMessages() {
            return link.backlogMessages
          },
          get backlogBytes() {
            return link.backlogBytes
          },
          write: (outbound) => link.write(outbound),
          drained: () => link.drained(),
          close: async () => {
            await link.close()
            await released
          },
        }
      },
    },
  }
}
