/**
 * A test of an agent without a model: what the model would say is written down, and everything else is real: the tools, the host,
 * its policy and the loop. Here in plain assertions; any test runner does.
 */
import assert from 'node:assert/strict'
import { runAgent, scriptedModel, Transcript } from '../src/agent/index.ts'
import { configOf, Host } from '../src/host/index.ts'
import { defineTool } from '../src/index.ts'

const lookUp = defineTool<{ order: number }>({
  name: 'look_up',
  description: 'Says where an order is.',
  input: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  annotations: { readOnlyHint: true },
  run: ({ order }) => `Order ${order} is in Hamburg.`,
})

// A reply for each request: first a call, with arguments that do not fit, then with some that do, then the answer.
const model = scriptedModel([
  { calls: [{ name: 'look_up', args: { order: 'seven' } }] },
  { text: 'I try again.', calls: [{ name: 'look_up', args: { order: 7 } }] },
  'It is in Hamburg.',
])
const host = await Host.open(configOf([]), { lock: false })
host.mount([lookUp])
const transcript = new Transcript()
transcript.say('Where is order 7?')
const shown: string[] = []
for await (const event of runAgent({ model, host, transcript })) {
  if (event.type === 'result') shown.push(event.shown)
  if (event.type === 'end') assert.equal(event.end.text, 'It is in Hamburg.')
}
await host.close()

// What did not fit was told to the model, and nothing was called.
assert.match(shown[0] ?? '', /^The arguments of look_up do not fit .* Nothing was called\.$/)
assert.equal(shown[1], 'Order 7 is in Hamburg.')
assert.deepEqual(
  model.requests[0]?.tools.map(({ name }) => name),
  ['look_up'],
)
console.log(`ok: asked the model ${model.requests.length} times`)
