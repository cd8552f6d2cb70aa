/** The examples that README and guide quote, run as they say: as programs, against real servers. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import { resultToText } from '../../src/tools/content.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'

// Each starts npx or a bundler and a server behind it, on machines that do other things as well.
const SLOW = 60_000

describe('the quick start', () => {
  it(
    'lists and reads through the official server',
    async () => {
      const { out, code } = await run('examples/quick-start.ts')
      expect(code).toBe(0)
      expect(out).toMatch(/^revision \d{4}-\d\d-\d\d, 14 tools\nThe tool says: \{\n {2}"name": /)
    },
    SLOW,
  )
})

describe('the quick server', () => {
  it(
    'serves its tool to a client of each revision',
    async () => {
      const greetings = await Promise.all(REVISIONS.map(greetingAt))
      expect(greetings).toEqual(REVISIONS.map((revision) => [revision, ['greet'], 'Hello, 世界!']))
    },
    SLOW,
  )
})

async function greetingAt(revision: Revision): Promise<readonly unknown[]> {
  const args = ['scripts/run.mjs', 'examples/quick-server.ts']
  const client = await connect(stdio({ command: process.execPath, args }), {
    revisions: [revision],
  })
  try {
    const names = (await client.listTools()).map(({ name }) => name)
    const greeting = resultToText(await client.callTool('greet', { name: '世界' }))
    return [client.server.revision, names, greeting]
  } finally {
    await client.close()
  }
}

describe("the article's calls", () => {
  it(
    'print what the article prints, and the wire beside it',
    async () => {
      const { out, err, code } = await run('examples/article-calls.ts')
      expect(code).toBe(0)
      const lines = out.split('\n')
      expect(lines[0]).toBe('Handshake done, Server: secure-filesystem-server')
      expect(lines[1]).toBe('14 tools:')
      expect(lines.slice(2, 7).every((line) => /^ {2}- [a-z_]+: .{1,40}$/.test(line))).toBe(true)
      expect(lines[7]).toBe('First 100 characters: {')
      for (const method of ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'])
        expect(err).toMatch(new RegExp(`^→ .*"method":"${method}"`, 'm'))
    },
    SLOW,
  )
})

async function run(
  file: string,
): Promise<{ readonly out: string; readonly err: string; readonly code: number }> {
  const child = spawn(process.execPath, ['scripts/run.mjs', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number>((resolve) =>
    child.once('close', (ended) => resolve(ended ?? -1)),
  )
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { out, err, code: await code }
}
