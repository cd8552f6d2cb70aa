/** The stations of the demo: each connects to a real server and tells what it finds, between the messages on the wire. */

import { join } from 'node:path'
import type { JsonObject } from '../../base/json.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import type { WireSink } from '../../jsonrpc/wire.ts'
import { blockToText } from '../../tools/content.ts'
import { stdio } from '../../transport/node/stdio-client.ts'
import type { Invocation } from '../invocation.ts'
import { aboutTool } from '../list-lines.ts'
import { fileToRead, pathOutside } from './filesystem.ts'

export interface Station {
  readonly title: string
  /** Of the server, on the wire's lines. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly era: 'auto' | 'legacy' | 'modern'
  visit(client: Client, guide: Guide): Promise<void>
}

/** What a station speaks with. */
export interface Guide {
  readonly invocation: Invocation
  readonly wire: WireSink
  /** A line of the story. */
  readonly tell: (text: string) => void
}

/** Connects, tells the facts of the server, and goes through the station. Ends the server in any case. */
export async function visitStation(station: Station, guide: Guide): Promise<void> {
  const { logger, signal, messages } = guide.invocation
  const { command, args, era, name: server } = station
  const transport = stdio({ command, args, logger, name: server })
  const client = await connect(transport, {
    era,
    wire: guide.wire,
    logger,
    signal,
    // All of them answer the probe; on a busy machine they only take their time.
    timeouts: { probeMs: 10_000 },
  })
  try {
    const { info, revision, era: spoken } = client.server
    const name = terminalText(info?.name ?? messages.demo.unnamed)
    const { handshake, discovered } = messages.demo
    guide.tell(spoken === 'legacy' ? handshake(name) : discovered(name))
    guide.tell(messages.demo.revision(revision, spoken))
    await station.visit(client, guide)
  } finally {
    await client.close()
  }
}

/** The official server on a folder: its tools, a file, and a path that it must refuse. */
export function filesystemStation(title: string, program: string, folder: string): Station {
  return {
    title,
    name: 'filesystem',
    command: process.execPath,
    args: [program, folder],
    era: 'auto',
    async visit(client, guide) {
      const { tell } = guide
      const words = guide.invocation.messages.demo
      const tools = await client.listTools({ signal: guide.invocation.signal })
      tell(words.tools(tools.length))
      for (const tool of tools.slice(0, 5)) {
        tell(`  - ${terminalText(tool.name)}: ${firstCharacters(aboutTool(tool), 40)}`)
      }
      const file = fileToRead(folder)
      if (file === undefined) tell(words.noFileHere)
      else {
        tell(words.reading(terminalText(file)))
        const read = await callTool(client, guide, 'read_text_file', { path: join(folder, file) })
        tell(read.refused ? words.toolError(read.text) : words.first100(read.text))
      }
      const outside = pathOutside(folder)
      if (outside === undefined) return tell(words.noOutside)
      tell(words.outside(terminalText(outside)))
      const denied = await callTool(client, guide, 'read_text_file', { path: outside })
      tell(denied.refused ? words.toolError(denied.text) : denied.text)
    },
  }
}

/** One of our own servers, and one call of it. */
export function ownStation(
  title: string,
  program: string,
  call: { server: 'calculator' | 'weather'; args: JsonObject; shown: string; era: Station['era'] },
): Station {
  const offline = call.server === 'weather' ? ['--offline'] : []
  return {
    title,
    name: call.server,
    command: process.execPath,
    args: [program, 'serve', ...offline, call.server],
    era: call.era,
    async visit(client, guide) {
      const words = guide.invocation.messages.demo
      const tools = await client.listTools({ signal: guide.invocation.signal })
      guide.tell(words.toolNames(tools.map(({ name }) => terminalText(name))))
      const { text } = await callTool(client, guide, call.server, call.args)
      guide.tell(words.result(`${call.server}(${call.shown})`, text))
    },
  }
}

/** The first 100 characters of what a tool gave; a tool's refusal says so. */
async function callTool(
  client: Client,
  { invocation }: Guide,
  tool: string,
  args: JsonObject,
): Promise<{ readonly text: string; readonly refused: boolean }> {
  const result = await client.callTool(tool, args, { signal: invocation.signal })
  const text = result.content.map(blockToText).join('\n')
  return { text: terminalText(firstCharacters(text, 100)), refused: result.isError === true }
}

/** Whole characters, as people count them. */
function firstCharacters(text: string, count: number): string {
  const near = [...new Intl.Segmenter('en').segment(text.slice(0, count * 16))]
  return near
    .slice(0, count)
    .map(({ segment }) => segment)
    .join('')
}
