import { expect, it } from 'vitest'
import { PolicyError } from '../base/errors.ts'
import { connect } from '../client/connect.ts'
import type { ClientOptions } from '../client/options.ts'
import type { WireEvent } from '../jsonrpc/wire.ts'
import { Server } from '../server/server.ts'
import { elicit } from '../tools/context.ts'
import { defineTool } from '../tools/define.ts'
import { memoryWire } from '../transport/memory.ts'
import { judgeArguments } from './judged-arguments.ts'
import { Seals } from './seal.ts'

const open = { type: 'object' }

/** A client whose link is under seal, and what its server's tool was called with. */
async function sealed(options: ClientOptions = {}) {
  const calls: unknown[] = []
  const echo = defineTool({
    name: 'echo',
    input: open,
    run: (args) => {
      calls.push(args)
      return 'done'
    },
  })
  const asking = defineTool({
    name: 'asking',
    input: open,
    run: async (args, { ask }) => {
      const schema = { type: 'object', properties: { ok: { type: 'boolean' } } } as const
      await ask('sure', elicit({ message: 'sure?', requestedSchema: schema }))
      calls.push(args)
      return 'done'
    },
  })
  const server = new Server({ name: 'test', version: '1', tools: [echo, asking] })
  const { first, second } = memoryWire()
  void server.accept(second)
  const seals = new Seals()
  const client = await connect(seals.guard('s', first), options)
  return { calls, client, seals }
}

const never = (): void => undefined

it('lets a judged call out, and counts it', async () => {
  const { calls, client, seals } = await sealed()
  const judged = judgeArguments({ x: 1 }, 's__echo')
  const seal = seals.open({ server: 's', tool: 'echo', judged, check: never })
  await client.callTool('echo', judged.args)
  expect(calls).toEqual([{ x: 1 }])
  expect(seal.sends).toBe(1)
  await client.close()
})

it('keeps a call that nobody judged from leaving', async () => {
  const { calls, client } = await sealed()
  await expect(client.callTool('echo', { x: 1 })).rejects.toMatchObject({
    code: 'DP_POLICY_ALTERED',
    server: 's',
  })
  expect(calls).toEqual([])
  await client.close()
})

it.each([
  ['other arguments', 'echo', { x: 2 }],
  ['another order of members', 'echo', { y: 1, x: 1 }],
  ['another tool', 'asking', { x: 1, y: 1 }],
])('keeps %s than the judged ones from leaving', async (_, tool, args) => {
  const { calls, client, seals } = await sealed()
  const judged = judgeArguments({ x: 1, y: 1 }, 's__echo')
  seals.open({ server: 's', tool: 'echo', judged, check: never })
  await expect(client.callTool(tool, args)).rejects.toThrow(PolicyError)
  expect(calls).toEqual([])
  await client.close()
})

it('keeps a raw request from leaving as well', async () => {
  const { calls, client } = await sealed()
  const params = { name: 'echo', arguments: { x: 1 } }
  await expect(client.request('tools/call', params)).rejects.toThrow(PolicyError)
  expect(calls).toEqual([])
  await client.close()
})

it('lets nothing out once the call is over', async () => {
  const { calls, client, seals } = await sealed()
  const judged = judgeArguments({ x: 1 }, 's__echo')
  const seal = seals.open({ server: 's', tool: 'echo', judged, check: never })
  seal.close()
  seal.close()
  await expect(client.callTool('echo', judged.args)).rejects.toThrow(PolicyError)
  expect(calls).toEqual([])
  await client.close()
})

it('opens no other server by the seal of one', async () => {
  const { client, seals } = await sealed()
  const judged = judgeArguments({ x: 1 }, 't__echo')
  seals.open({ server: 't', tool: 'echo', judged, check: never })
  await expect(client.callTool('echo', judged.args)).rejects.toThrow(PolicyError)
  await client.close()
})

it('looks at the tool once more before each sending', async () => {
  const { calls, client, seals } = await sealed()
  const judged = judgeArguments({ x: 1 }, 's__echo')
  const held = new PolicyError('DP_POLICY_HELD', 'held')
  const seal = seals.open({
    server: 's',
    tool: 'echo',
    judged,
    check: () => {
      throw held
    },
  })
  await expect(client.callTool('echo', judged.args)).rejects.toBe(held)
  expect([calls, seal.sends]).toEqual([[], 0])
  await client.close()
})

it('sends the judged arguments in every round of questions', async () => {
  const events: WireEvent[] = []
  const { calls, client, seals } = await sealed({
    wire: (event) => events.push(event),
    answers: { elicitation: () => Promise.resolve({ action: 'accept', content: { ok: true } }) },
  })
  const judged = judgeArguments({ b: 1, a: [2] }, 's__asking')
  const seal = seals.open({ server: 's', tool: 'asking', judged, check: never })
  await client.callTool('asking', judged.args)
  const sent = events.flatMap((event) =>
    event.type === 'message' && event.text.includes('"method":"tools/call"') ? [event.text] : [],
  )
  expect(sent).toHaveLength(2)
  expect(sent.every((text) => text.includes(`"arguments":${judged.text}`))).toBe(true)
  expect([calls, seal.sends]).toEqual([[{ b: 1, a: [2] }], 2])
  await client.close()
})

it('says on the wire that a message did not leave after all', async () => {
  const events: WireEvent[] = []
  const { client } = await sealed({ wire: (event) => events.push(event) })
  await client.callTool('echo', {}).catch(never)
  expect(events.some((event) => event.type === 'note' && event.note.kind === 'refused')).toBe(true)
  await client.close()
})

it('lets arguments speak of calls', async () => {
  const { calls, client, seals } = await sealed()
  const args = { method: 'tools/call', text: '"method":"tools/call"' }
  const judged = judgeArguments(args, 's__echo')
  seals.open({ server: 's', tool: 'echo', judged, check: never })
  await client.callTool('echo', judged.args)
  expect(calls).toEqual([args])
  await client.close()
})
