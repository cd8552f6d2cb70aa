/** A server with one note, and a tool that links to it. */
import type { Transport } from '../../src/jsonrpc/link.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool, reply } from '../../src/tools/define.ts'
import { defineResource } from '../../src/tools/resource.ts'
import { memoryPair } from '../../src/transport/memory.ts'

export const NOTE = 'note:///plan'

export interface Docs {
  readonly transport: Transport
  /** URIs that were read. */
  readonly reads: string[]
}

export function docs(): Docs {
  const reads: string[] = []
  const made = (): Server =>
    new Server({
      name: 'docs',
      version: '1',
      tools: [
        defineTool({
          name: 'find',
          run: () => reply({ content: [{ type: 'resource_link', uri: NOTE, name: 'plan' }] }),
        }),
      ],
      resources: [
        defineResource({
          uri: NOTE,
          name: 'plan',
          mimeType: 'text/markdown',
          read: (uri) => {
            reads.push(uri)
            return '# Plan'
          },
        }),
      ],
    })
  return {
    reads,
    transport: {
      name: 'docs',
      open: (port, signal) => {
        const [here, there] = memoryPair()
        void made().accept(there)
        return here.open(port, signal)
      },
    },
  }
}
