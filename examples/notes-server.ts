/**
 * A server with all three things that servers offer: tools, resources (with a template) and a prompt. What `run` may give back,
 * how a tool fails, and how clients hear of changes. Its notes are in memory.
 */
import {
  definePrompt,
  defineResource,
  defineTemplate,
  defineTool,
  reply,
  Server,
  ToolError,
} from '../src/index.ts'
import { stdioServer } from '../src/node/index.ts'

const notes = new Map([['shopping', 'Bread, tea.']])
const named = (typed: string): string[] =>
  [...notes.keys()].filter((name) => name.startsWith(typed))
const uriOf = (name: string): string => `notes://note/${encodeURIComponent(name)}`
const byName = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const

// Text: a string.
const readNote = defineTool<{ name: string }>({
  name: 'read_note',
  description: 'Reads a note.',
  input: byName,
  annotations: { readOnlyHint: true },
  run({ name }) {
    const text = notes.get(name)
    if (text === undefined)
      throw new ToolError(`No note is named ${name}, but: ${named('').join()}`)
    return text
  },
})

// Data: the object that `output` describes, and nothing around it.
const countNotes = defineTool<object, { notes: number; characters: number }>({
  name: 'count_notes',
  description: 'Counts notes and their characters.',
  output: {
    type: 'object',
    properties: { notes: { type: 'integer' }, characters: { type: 'integer' } },
    required: ['notes', 'characters'],
  },
  run: () => ({ notes: notes.size, characters: [...notes.values()].join('').length }),
})

// Everything else: blocks of content, as they go on the wire.
const writeNote = defineTool<{ name: string; text: string }>({
  name: 'write_note',
  description: 'Writes a note, over an earlier one of the name.',
  input: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1 }, text: { type: 'string' } },
    required: ['name', 'text'],
  },
  annotations: { destructiveHint: true, idempotentHint: true },
  run({ name, text }) {
    notes.set(name, text)
    server.resourceUpdated(uriOf(name))
    const link = { type: 'resource_link', uri: uriOf(name), name } as const
    return reply({ content: [{ type: 'text', text: `Wrote ${name}.` }, link] })
  },
})

const server = new Server({
  name: 'notes',
  version: '1.0.0',
  instructions: 'Read a note before you write over it.',
  tools: [readNote, countNotes, writeNote],
  resources: [
    defineResource({
      uri: 'notes://all',
      name: 'all',
      mimeType: 'application/json',
      read: () => JSON.stringify(Object.fromEntries(notes)),
    }),
  ],
  templates: [
    defineTemplate({
      uriTemplate: 'notes://note/{name}',
      name: 'note',
      complete: { name: named },
      list: () => named('').map((name) => ({ uri: uriOf(name), name })),
      read: (_uri, { name }) => notes.get(String(name)), // undefined: there is no such resource
    }),
  ],
  prompts: [
    definePrompt({
      name: 'sum_up',
      description: 'Sums a note up.',
      arguments: [{ name: 'name', required: true, complete: named }, { name: 'language' }],
      get: ({ name, language = 'English' }) =>
        `Sum up in one sentence, in ${language}:\n\n${notes.get(name) ?? ''}`,
    }),
  ],
})
await server.accept(stdioServer())
