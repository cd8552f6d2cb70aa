/**
 * Everything that docs/guide/ shows of the wire, made anew: a client and a server of ours in one process, once in each
 * era. Prints each message as it crosses, by scene. Time and chance are fixed, so that two runs print the same.
 */
import {
  connect,
  defineTool,
  elicit,
  memoryPair,
  Server,
  ToolError,
  type Client,
  type WireEvent,
} from '../src/index.ts'

export type Scenes = ReadonlyMap<string, readonly string[]>

const form = {
  message: 'Delete 3 files?',
  requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
} as const

const square = defineTool<{ n: number }>({
  name: 'square',
  description: 'Squares a number',
  input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }) => String(n * n),
})
const fail = defineTool({
  name: 'fail',
  run() {
    throw new ToolError('The disk is full.')
  },
})
const count = defineTool({
  name: 'count',
  run(_args, ctx) {
    for (const progress of [1, 2]) ctx.progress({ progress, total: 2 })
    return 'counted'
  },
})
const wait = defineTool({
  name: 'wait',
  run: (_args, { signal }) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
})
const remove = defineTool({
  name: 'remove',
  async run(_args, ctx) {
    const { action, content } = await ctx.ask('sure', elicit(form))
    return action === 'accept' && content?.['sure'] === true ? 'removed' : 'left as it was'
  },
})

/** What happens in each scene, in order. */
const SCENES: Readonly<Record<string, (client: Client, server: Server) => Promise<unknown>>> = {
  list: (client) => client.listTools(),
  call: (client) => client.callTool('square', { n: 12 }),
  'failed tool': (client) => client.callTool('fail'),
  'unknown tool': (client) => client.callTool('cube').catch(ignore),
  progress: (client) => client.callTool('count', {}, { onProgress: () => {} }),
  async cancellation(client) {
    const controller = new AbortController()
    const call = client.callTool('wait', {}, { signal: controller.signal })
    await turn()
    controller.abort('the person changed their mind')
    await call.catch(ignore)
  },
  question: (client) => client.callTool('remove'),
  async change(client, server) {
    const changes = client.changes({ tools: true })
    const first = changes.next()
    await turn()
    server.tools.remove('wait')
    await first
    await changes.return?.()
  },
}

/** Goes through every scene in one era and gives what crossed in each, as the client saw it. */
export async function tour(era: 'legacy' | 'modern'): Promise<Scenes> {
  const scenes = new Map<string, string[]>()
  let lines: string[] = []
  const begin = (scene: string): void => void scenes.set(scene, (lines = []))
  const wire = (event: WireEvent): void => {
    if (event.type === 'message')
      lines.push(`${event.direction === 'out' ? '→' : '←'} ${event.text}`)
  }
  const server = new Server({
    name: 'tour',
    version: '1.0.0',
    tools: [square, fail, count, wait, remove],
    random: (bytes) => new Uint8Array(bytes).fill(7),
    clock: { now: () => 0, wall: () => 0, after: () => ({ cancel: () => {} }) },
  })
  const [near, far] = memoryPair()
  const served = server.accept(far)
  begin('first words')
  const answers = {
    elicitation: () => Promise.resolve({ action: 'accept', content: { sure: true } } as const),
  }
  const client = await connect(near, { era, answers, checkArguments: false, wire })
  for (const [scene, play] of Object.entries(SCENES)) {
    begin(scene)
    await play(client, server)
    await turn()
  }
  await client.close()
  await served
  return scenes
}

function turn(): Promise<void> {
  return new Promise(setImmediate)
}

function ignore(): void {}

if (process.argv.includes('--print')) {
  for (const era of ['legacy', 'modern'] as const) {
    for (const [scene, lines] of await tour(era))
      console.log(`\n${era}: ${scene}\n${lines.join('\n')}`)
  }
}
