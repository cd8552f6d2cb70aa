/** Schemas of tools: those of the official servers as they send them, and a corpus that no server should send. */
import { resolve } from 'node:path'
import { connect } from '../../src/client/connect.ts'
import type { JsonValue } from '../../src/base/json.ts'
import type { Tool } from '../../src/protocol/types/tools.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { ODD_SHAPES } from './odd-shapes.ts'
import { ODD_WORDS_AND_SIZES } from './odd-words.ts'

const OFFICIAL: readonly (readonly [string, readonly string[]])[] = [
  ['server-everything', []],
  ['server-filesystem', ['.']],
]

let official: Promise<ReadonlyMap<string, readonly Tool[]>> | undefined

/** What the official servers list, by the name of the server. They are asked once. */
export function officialTools(): Promise<ReadonlyMap<string, readonly Tool[]>> {
  official ??= askedTools()
  return official
}

async function askedTools(): Promise<ReadonlyMap<string, readonly Tool[]>> {
  const found = new Map<string, readonly Tool[]>()
  for (const [name, args] of OFFICIAL) {
    const program = resolve(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
    const client = await connect(
      stdio({ command: process.execPath, args: [program, ...args], name }),
    )
    try {
      found.set(name, await client.listTools())
    } finally {
      await client.close()
    }
  }
  return found
}

/** Schemas that strangers might send, sound and unsound ones, by names for failures. */
export const HOSTILE_SCHEMAS: ReadonlyMap<string, JsonValue> = new Map([
  ...ODD_SHAPES,
  ...ODD_WORDS_AND_SIZES,
])
