/**
 * What all servers of the bench serve: the same tools, described once as plain fields, so that each
 * library can be given them in the form it likes best.
 */

/** The words after `node server.mjs`: `--tools 5000 --cut --era legacy`. */
export function serverOptions(argv = process.argv.slice(2)) {
  const value = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined)
  return {
    tools: Number(value('--tools') ?? 0),
    cut: argv.includes('--cut'),
    joined: argv.includes('--joined'),
    era: value('--era'),
  }
}

export const PAGE_BYTES = 8192
const LINE = 'A line of an answer, 64 bytes with its end: 0123456789 abcdefgh\n'
const texts = new Map()

/** So many bytes of text; made once a process, so that no timing contains the making. */
export function blob(bytes) {
  let text = texts.get(bytes)
  if (text === undefined) {
    text = LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes)
    texts.set(bytes, text)
  }
  return text
}

export const textResult = (text) => ({ content: [{ type: 'text', text }] })

/** The three tools that every server has. `run` may give a promise that never settles. */
export const TOOLS = [
  {
    name: 'echo',
    description: 'Gives the text back',
    fields: [{ name: 'text', type: 'string', description: 'Any text' }],
    run: ({ text }) => text,
  },
  {
    name: 'blob',
    description: 'Gives a text of that many bytes',
    fields: [{ name: 'bytes', type: 'number', description: 'How many bytes' }],
    run: ({ bytes }) => blob(bytes),
  },
  {
    name: 'hang',
    description: 'Never answers',
    fields: [],
    run: () => new Promise(() => {}),
  },
]

/** So many tools of about 1.4 kB each, every other one with an output schema. */
export function manyTools(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Tool number ${index}. ${'It says what it does in a few sentences. '.repeat(5)}`,
    fields: fields(index % 2 === 0 ? 9 : 5, 'argument'),
    ...(index % 2 === 0 ? {} : { output: fields(4, 'result') }),
    run: () => 'done',
  }))
}

function fields(count, word) {
  return Array.from({ length: count }, (_, index) => ({
    name: `${word}_${index}`,
    type: index % 3 === 2 ? 'number' : 'string',
    description: `The ${word} at place ${index}, with what it means and an example of it.`,
  }))
}

export function jsonSchema(list) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      list.map(({ name, type, description }) => [name, { type, description }]),
    ),
    required: list.map(({ name }) => name),
  }
}

/** The same as a Zod object; `z` is whatever copy of Zod the library under test was given. */
export function zodShape(z, list) {
  return Object.fromEntries(
    list.map(({ name, type, description }) => [
      name,
      (type === 'number' ? z.number() : z.string()).describe(description),
    ]),
  )
}

/** As they stand in an answer to `tools/list`. */
export function listing({ name, description, fields: input, output }) {
  return {
    name,
    description,
    inputSchema: jsonSchema(input),
    ...(output === undefined ? {} : { outputSchema: jsonSchema(output) }),
  }
}
