/**
 * What a client of either TypeScript SDK does with our server, a line of JSON for each step. `open` gives the client's
 * calls behind one face, whatever the version; nothing here knows a transport.
 */
const STEP_MS = 15_000

function report(step, outcome = {}) {
  console.log(JSON.stringify({ step, ok: outcome.why === undefined, ...outcome }))
}

function check(fine, what) {
  if (!fine) throw new Error(JSON.stringify(what) ?? String(what))
}

/** What the clients answer when they are asked for a message of a model. */
export const MESSAGE = {
  role: 'assistant',
  content: { type: 'text', text: 'so be it' },
  model: 'peer',
}

const textOf = ({ content }) => content.flatMap(({ text }) => text ?? []).join('')

const steps = {
  async list({ listTools }) {
    const names = (await listTools()).map(({ name }) => name)
    check(names.includes('echo') && names.includes('change'), names)
  },
  async call({ callTool }) {
    const result = await callTool('echo', { text: 'zwölf 字' })
    check(textOf(result) === 'zwölf 字', result)
  },
  async fail({ callTool }) {
    const result = await callTool('fail')
    check(result.isError === true && textOf(result) === 'out of paper', result)
  },
  async progress({ callTool }) {
    const heard = []
    await callTool('steps', { count: 3 }, { onprogress: ({ progress }) => heard.push(progress) })
    check(heard.join() === '1,2,3', heard)
  },
  async resources({ client }) {
    check((await client.listResources()).resources.length > 0, 'no resources')
    const read = await client.readResource({ uri: 'table://text' })
    check(read.contents[0]?.text === 'plain words', read)
  },
  async prompts({ client }) {
    check((await client.listPrompts()).prompts.length > 0, 'no prompts')
    const got = await client.getPrompt({ name: 'letter', arguments: { to: 'Ada' } })
    check(got.messages[0]?.content.text === 'Write to Ada, plainly.', got)
  },
  async ask({ callTool }) {
    const result = await callTool('ask_form')
    check(result.isError !== true && JSON.parse(textOf(result)).name === 'Ada', result)
  },
  async sample({ callTool }) {
    const result = await callTool('ask_model')
    check(result.isError !== true && textOf(result) === 'so be it', result)
  },
  /** Gives a call up and waits until the server says that it heard. */
  async cancel({ callTool }, expired) {
    const gaveUp = new AbortController()
    const call = callTool('wait', {}, { signal: gaveUp.signal }).then(
      () => 'a result',
      () => 'given up',
    )
    await pause(300)
    gaveUp.abort('changed my mind')
    check((await call) === 'given up', 'the call that was given up gave a result')
    for (;;) {
      if (JSON.parse(textOf(await callTool('memory'))).cancelled > 0) return
      check(!expired(), 'the server did not hear of it')
      await pause(100)
    }
  },
}

/** Every step in turn; `open` may fail, which is the outcome of the first. */
export async function takeSteps(open) {
  let face
  try {
    face = await open()
  } catch (error) {
    report('connect', { why: String(error) })
    return
  }
  report('connect', { revision: face.revision })
  for (const [name, step] of Object.entries(steps))
    await take(name, (expired) => step(face, expired))
  await take('close', () => face.client.close())
  process.exit()
}

async function take(name, step) {
  let over = false
  const late = pause(STEP_MS).then(() => {
    over = true
    throw new Error('took too long')
  })
  try {
    await Promise.race([step(() => over), late])
    report(name)
  } catch (error) {
    report(name, { why: String(error?.stack === undefined ? error : error.message) })
  }
}

function pause(ms) {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

/** `client stdio REVISION COMMAND ...` or `client http|sse REVISION URL`, taken apart. */
export function wordsOf([, way, revision, ...target]) {
  return { way, revision, target }
}
