/** Starts scripted peers for tests of the client's end, and ends those that a test leaves. */
import { stdio } from '../../../src/transport/node/stdio-client.ts'
import type { StdioOptions } from '../../../src/transport/node/stdio-options.ts'
import type { Link } from '../../../src/jsonrpc/link.ts'
import { PEER, recordingPort, type RecordingPort } from './port.ts'

export interface Session {
  readonly link: Link
  readonly port: RecordingPort
}

export type Start = (
  way: string | readonly string[],
  options?: Partial<StdioOptions>,
  port?: RecordingPort,
) => Promise<Session>

export interface Sessions {
  /** Starts a peer that behaves in the given way. Its stops are quick unless a test says otherwise. */
  readonly start: Start
  /** Closes what is open, for `afterEach`. */
  readonly closeAll: () => Promise<void>
}

export function sessions(): Sessions {
  const open: Link[] = []
  return {
    async start(way, options = {}, port = recordingPort()) {
      const transport = stdio({
        command: process.execPath,
        args: [PEER, ...(typeof way === 'string' ? [way] : way)],
        name: 'peer',
        stopEofMs: 150,
        stopTermMs: 150,
        ...options,
      })
      const link = await transport.open(port)
      open.push(link)
      return { link, port }
    },
    async closeAll() {
      await Promise.all(open.splice(0).map((link) => link.close()))
    },
  }
}
