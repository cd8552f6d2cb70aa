/**
 * Small calls within one process, over the memory link, so that only our own layers are measured. Kinds:
 * `callback` takes messages where the link hands them over, `pull` takes them from `channel.inbound`,
 * `peer` is the whole JSON-RPC layer; `tap` adds a wire sink that does nothing. Reports calls per second.
 */
import { memoryPair } from '../../dist/index.js'
import { Channel, Peer, readMessage, writeRequest, writeResult } from '../../dist/jsonrpc/index.js'
import { after, order, ownCpu, report } from './measure.mjs'

const PARAMS = { name: 'echo', arguments: { text: 'x'.repeat(100) } }
const LIMIT = 32 * 1024 * 1024
const [first, second] = memoryPair()
const options = order.tap ? { wire() {} } : {}
const openCaller = { callback, pull, peer }[order.kind]
const call = await openCaller()

/** Answers with the parameters, or settles the call that an answer belongs to. */
function receiver(send, pending) {
  return ({ kind, message }) => {
    if (kind === 'request') send(writeResult(message.id, message.params))
    else {
      pending.get(message.id)(message.result)
      pending.delete(message.id)
    }
  }
}

function caller(send, pending) {
  let lastId = 0
  return () => {
    const id = ++lastId
    send(writeRequest(id, 'tools/call', PARAMS))
    return new Promise((resolve) => pending.set(id, resolve))
  }
}

async function callback() {
  const pending = new Map()
  const end = async (transport) => {
    const port = {
      maxMessageBytes: LIMIT,
      text: (text) => receive(readMessage(JSON.parse(text))),
      unreadable() {},
      note() {},
      closed() {},
    }
    const link = await transport.open(port)
    const send = (text) => link.write({ text })
    const receive = receiver(send, pending)
    return send
  }
  const [send] = await Promise.all([end(first), end(second)])
  return caller(send, pending)
}

async function pull() {
  const pending = new Map()
  const end = async (transport) => {
    const channel = await Channel.open(transport, options)
    const send = (text) => channel.send({ text })
    const receive = receiver(send, pending)
    const read = async () => {
      for await (const { reading } of channel.inbound) receive(reading)
    }
    void read()
    return send
  }
  const [send] = await Promise.all([end(first), end(second)])
  return caller(send, pending)
}

async function peer() {
  const [near, far] = await Promise.all([
    Channel.open(first, options),
    Channel.open(second, options),
  ])
  const client = new Peer(near, { onRequest: () => ({}) })
  const server = new Peer(far, { onRequest: ({ params }) => params })
  void server.ended
  return () => client.request('tools/call', PARAMS).result
}

async function run({ atLeast, ms }) {
  let calls = 0
  const window = { open: true }
  const worker = async () => {
    while (window.open || calls < atLeast) {
      await call()
      // All of this happens in microtasks: let the timer have its turn.
      if (++calls % 1024 === 0) await new Promise(setImmediate)
    }
  }
  const workers = Array.from({ length: 64 }, worker)
  await after(ms)
  window.open = false
  await Promise.all(workers)
  return calls
}

await run(order.warmUp)
const [cpu, start] = [ownCpu(), performance.now()]
const calls = await run(order.measure)
const seconds = (performance.now() - start) / 1000
report({ callsPerSecond: calls / seconds, cpuUs: ((ownCpu() - cpu) * 1000) / calls })
