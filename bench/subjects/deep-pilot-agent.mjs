/**
 * This project's agent, as the drivers of its bars use it: a host with a server in this process and as many tools as one wants, a model
 * that answers at once, and the loop between them.
 */
import { readFile } from 'node:fs/promises'
import { runAgent, Transcript } from '../../dist/agent/index.js'
import { configOf, Host } from '../../dist/host/index.js'
import { defineTool, memoryPair, Server } from '../../dist/index.js'
import { jsonSchema, manyTools } from './workload.mjs'
import { entry } from './deep-pilot-host.mjs'

const KEY = 'bench'

/** As somebody has it who works with these tools all day: this server by a rule, and a question for all else. It is trusted. */
const POLICY = {
  rules: [{ effect: 'allow', server: KEY, tools: '*' }],
  otherwise: 'ask',
  readOnlyOfTrusted: 'allow',
  flow: 'ask',
  native: 'allow',
}

export const CALLED = 'search'

const BODIES = {
  none: ({ query, limit = 10 }) => `${limit} records hold ${JSON.stringify(query)}`,
  file: async ({ limit = 10 }) => `${limit} records: ${await readFile(RECORDS, 'utf8')}`,
}
/** What a tool that reads has to read: a file of this bench, of some four thousand bytes. */
const RECORDS = new URL('workload.mjs', import.meta.url)

/** What is called: the arguments of a usual tool, and a body that does next to nothing, or one that reads a small file. */
export function searchTool(body = 'none') {
  return defineTool({
    name: CALLED,
    description: 'Finds records by what they hold.',
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        fields: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    run: BODIES[body],
  })
}

/** What a model writes for its call number `n`: no two are the same, as nobody asks the same thing over and over. */
export function argumentsText(n) {
  return JSON.stringify({ query: `the record of number ${n}`, limit: 5, fields: ['name', 'place'] })
}

export function bulk(count) {
  return manyTools(count).map(({ name, description, fields, run }) =>
    defineTool({ name, description, input: jsonSchema(fields), run }),
  )
}

/** A server with the called tool and `count` others. */
export function serverOf(count, tool = searchTool()) {
  return new Server({ name: KEY, version: '1.0.0', tools: [tool, ...bulk(count)] })
}

/** A host with that server in this process; `native` mounts the called tool in the host as well. */
export async function agentHost({ tools, native = false, tool = searchTool() }) {
  const [near, far] = memoryPair()
  const served = serverOf(tools, tool).accept(far)
  const host = await Host.open(
    configOf([{ ...entry(KEY, { command: 'none', args: [] }), trusted: true }]),
    {
      policy: POLICY,
      lock: false,
      run: 'bench',
      transport: () => near,
    },
  )
  if (native) host.mount([tool])
  await host.settled()
  host.turn()
  return {
    host,
    close: async () => {
      await host.close()
      await served
    },
  }
}

const USAGE = { input: 100, output: 10 }

/** A model that answers with what `next` gives: calls, or nothing for the end. */
export function modelOf(next, { name = 'bench-1', dialect = 'plain', onRequest = () => {} } = {}) {
  const traits = { window: undefined, maxTools: undefined, maxDescription: undefined }
  return {
    provider: 'bench',
    name,
    dialect,
    traits: { ...traits, images: false, resultImages: false },
    async reply(request) {
      onRequest(request)
      const calls = next()
      const text = calls.length === 0 ? 'done' : ''
      const finish = calls.length === 0 ? 'stop' : 'tool-calls'
      const message = { role: 'assistant', text, calls }
      return { message, finish, finishText: finish, usage: USAGE, model: name, warnings: [] }
    },
  }
}

/** One run to its end; throws unless it ends as it should, and gives the number of results that were no failure. */
export async function runOnce({ transcript = asked(), ...options }) {
  const run = runAgent({ transcript, discovery: 'off', run: 'bench', ...options })
  let good = 0
  for (;;) {
    const { done, value } = await run.next()
    if (done) {
      if (value.reason !== 'done')
        throw new Error(`the run ended: ${value.reason} ${value.error ?? ''}`)
      return good
    }
    if (value.type === 'result' && !value.failed) good += 1
  }
}

function asked() {
  const transcript = new Transcript()
  transcript.say('Look everything up.')
  return transcript
}
