/**
 * What many tools cost a request, in processor time: one JSON.stringify of their definitions, the first request of a conversation from the
 * list of the host to the exact text that is sent, and the next ones.
 */
import { chatCodec, COMPATIBLE, DEEPSEEK, Transcript } from '../../dist/agent/index.js'
import { agentHost, modelOf, runOnce } from '../subjects/deep-pilot-agent.mjs'
import { median, order, ownCpu, report } from './measure.mjs'

const FLAVOURS = { plain: COMPATIBLE, deepseek: DEEPSEEK }

const { host, close } = await agentHost({ tools: order.tools })
const definitions = host.tools().map(({ alias, description, inputSchema }) => ({
  name: alias,
  description,
  inputSchema,
}))
const bytes = JSON.stringify(definitions).length
const stringifyMs = median(Array.from({ length: order.repeats }, () => timed(stringify)))
report({ bytes, stringifyMs, ...(await requests()) })
await close()

function stringify() {
  if (JSON.stringify(definitions).length !== bytes) throw new Error('another text')
}

function timed(work) {
  const start = ownCpu()
  work()
  return ownCpu() - start
}

/** The user asks, and the model has nothing to call: each question is one request. */
async function requests() {
  const codec = chatCodec(FLAVOURS[order.dialect], 'bench-1')
  const transcript = new Transcript()
  const times = []
  let start = 0
  let sent = ''
  const model = modelOf(() => [], {
    dialect: order.dialect,
    onRequest(request) {
      sent = codec.encode(request).text
      sent.charCodeAt(0) // whoever sends it needs it in one piece
      times.push(ownCpu() - start)
    },
  })
  for (let turn = 0; turn <= order.repeats; turn += 1) {
    transcript.say(`Question ${turn}.`)
    start = ownCpu()
    await runOnce({ host, model, transcript, discovery: order.discovery })
  }
  const [firstMs, ...next] = times
  return { firstMs, nextMs: median(next), sentBytes: sent.length }
}
