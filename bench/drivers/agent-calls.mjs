/**
 * Processor time of one call, in microseconds. `checked`: arguments as text are read, checked against the schema, and the function is
 * called in this process. `server`: the same tool by a client of a server in this process. `loop` and `loopNative`: a model wants
 * it called, and the agent's loop, the host's policy and catalogue do it, on that server and as a tool of the host itself.
 */
import { pair } from '../../dist/testing/index.js'
import { checkValue } from '../../dist/schema/index.js'
import {
  agentHost,
  argumentsText,
  CALLED,
  modelOf,
  runOnce,
  searchTool,
  serverOf,
} from '../subjects/deep-pilot-agent.mjs'
import { order, ownCpu, report } from './measure.mjs'

const { way, calls, perReply, tools, body } = order
const tool = searchTool(body)
const batch = await prepare()
await batch.run(order.warmUp)
const cpu = ownCpu()
await batch.run(calls)
const us = ((ownCpu() - cpu) * 1000) / calls
await batch.close?.()
report({ us })

async function prepare() {
  if (way === 'checked') return { run: repeated(checkedCall) }
  if (way === 'server') return onServer()
  return throughLoop(way === 'loopNative')
}

async function checkedCall(n) {
  const args = JSON.parse(argumentsText(n))
  const verdict = await checkValue(tool.input, args)
  if (verdict.valid !== true) throw new Error('the arguments do not fit')
  return { content: [{ type: 'text', text: await tool.run(args) }] }
}

async function onServer() {
  const connected = await pair(serverOf(tools, tool))
  const { client } = connected
  await client.listTools()
  return {
    run: repeated((n) => client.callTool(CALLED, JSON.parse(argumentsText(n)))),
    close: () => connected.close(),
  }
}

/** As many at once as the loop makes at once. */
function repeated(call) {
  return async (count) => {
    for (let n = 0; n < count; n += perReply) {
      const results = await Promise.all(
        Array.from({ length: Math.min(perReply, count - n) }, (_, at) => call(n + at)),
      )
      for (const { content } of results)
        if (!content[0].text.startsWith('5 records')) throw new Error('a wrong result')
    }
  }
}

async function throughLoop(native) {
  const { host, close } = await agentHost({ tools, native, tool })
  const name = native ? CALLED : `bench__${CALLED}`
  const run = async (count) => {
    let good = 0
    for (let from = 0; from < count; from += order.perRun)
      good += await runOnce({ host, model: modelOf(callsOf(name, from, count)) })
    if (good !== count) throw new Error(`${good} of ${count} calls were good`)
  }
  return { run, close }
}

/** The replies of one run: so many calls each, until the run has had its share of all, and then none. */
function callsOf(name, from, count) {
  const end = Math.min(count, from + order.perRun)
  let at = from
  return () =>
    Array.from({ length: Math.min(perReply, end - at) }, () => {
      at += 1
      return { id: `call_${at}`, name, argumentsText: argumentsText(at) }
    })
}
