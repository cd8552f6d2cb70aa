/**
 * Tests of a server of one's own, without a process: through a client in memory, of one tool with questions alone, of a client
 * against a script, and of a transport against the contract. Here in plain assertions; any test runner does.
 */
import assert from 'node:assert/strict'
import { connect, defineTool, elicit, memoryPair, resultToText, Server } from '../src/index.ts'
import { linkContract, pair, runTwice, scriptedServer } from '../src/testing/index.ts'

const booked: unknown[] = []
const book = defineTool<{ flight: string }>({
  name: 'book',
  input: { type: 'object', properties: { flight: { type: 'string' } }, required: ['flight'] },
  async run({ flight }, ctx) {
    const seat = { type: 'object', properties: { seat: { type: 'string' } } } as const
    const form = elicit({ message: `Which seat on ${flight}?`, requestedSchema: seat })
    const { action, content } = await ctx.ask('seat', form)
    if (action !== 'accept') return 'Nothing was booked.'
    booked.push(content) // behind the last question: once, however often the tool runs
    return `Booked ${flight}, ${String(content?.['seat'])}.`
  },
})
const answer = { action: 'accept', content: { seat: '12A' } } as const

// The server as its clients meet it, in the oldest revision that has forms and in the newest.
const server = new Server({ name: 'airline', version: '1.0.0', tools: [book] })
for (const revision of ['2025-06-18', '2026-07-28'] as const) {
  const answers = { elicitation: () => Promise.resolve(answer) }
  await using airline = await pair(server, { revisions: [revision], answers })
  const result = await airline.client.callTool('book', { flight: 'XY1' })
  assert.equal(resultToText(result), 'Booked XY1, 12A.')
  console.log(`ok: books at ${revision}`)
}

// One tool alone: what it does before an answer is there would happen again in every run.
const effects = (): number => booked.length
const { asked } = await runTwice(book, { flight: 'XY1' }, { seat: answer }, { effects })
assert.deepEqual(asked, [['seat']])
console.log('ok: has no effect before its question')

// A client against a server that says what a test wants: here that it is busy.
const busy = scriptedServer({ 'tools/call': { error: { code: -32000, message: 'Busy' } } })
const client = await connect(busy)
await assert.rejects(client.callTool('book'), { code: 'DP_RPC_ERROR', message: 'Busy' })
assert.equal((await busy.next('tools/call')).params?.['name'], 'book')
await client.close()
console.log('ok: hears that a server is busy')

// A transport of one's own, in the place of memory.
const checks = linkContract(() => {
  const [near, far] = memoryPair()
  return { near, far }
})
for (const { run } of checks) await run()
console.log(`ok: keeps the contract of links in ${checks.length} checks`)
