/** Clients of ours whose far side is a bare socket, put away after each test. */
import type { Link } from '../../../src/jsonrpc/link.ts'
import { webSocket } from '../../../src/transport/node/websocket.ts'
import type { WebSocketOptions } from '../../../src/transport/node/websocket-options.ts'
import { recordingPort, type RecordingPort } from '../stdio/port.ts'
import { rawServer, type RawEnd, type RawServer, type RawServerWishes } from './raw-websocket.ts'

export interface RawStage {
  /** Puts something away after the test, last come first. */
  readonly keep: (one: { close(): unknown }) => void
  readonly listening: (wishes?: RawServerWishes) => Promise<RawServer>
  /** The next client, who is gone when the test is over. */
  readonly come: (server: RawServer) => Promise<RawEnd>
  readonly joined: (
    options?: WebSocketOptions,
    port?: RecordingPort,
  ) => Promise<{ readonly far: RawEnd; readonly link: Link; readonly port: RecordingPort }>
  readonly clear: () => Promise<void>
}

export function rawStage(): RawStage {
  const open: { close(): unknown }[] = []
  const keep = (one: { close(): unknown }): void => void open.push(one)
  const listening = async (wishes: RawServerWishes = {}): Promise<RawServer> => {
    const server = await rawServer(wishes)
    keep(server.listener)
    return server
  }
  const come = async (server: RawServer): Promise<RawEnd> => {
    const far = await server.next()
    keep({ close: () => far.socket.destroy() })
    return far
  }
  return {
    keep,
    listening,
    come,
    async joined(options = {}, port = recordingPort()) {
      const server = await listening()
      const link = await webSocket(server.url, options).open(port)
      return { far: await come(server), link, port }
    },
    async clear() {
      for (const one of open.splice(0).toReversed()) await one.close()
    },
  }
}
