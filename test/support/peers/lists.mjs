/**
 * A server with odd lists of tools: `circle` comes back to a cursor, `empty` uses the empty cursor, `endless` always
 * has another page, `crowd` names a hundred thousand tools, `schemas` has tools whose schemas cannot be used,
 * `nameless` has entries that are no tools.
 */
import { answered, hear, manners, say, toolNamed, words } from './talk.mjs'

const cursors = []
const page = (names, nextCursor) => ({
  tools: names.map((name) => toolNamed(name)),
  ...(nextCursor === undefined ? {} : { nextCursor }),
})
const giving = (schema) => ({ outputSchema: { type: 'object', ...schema } })

const lists = {
  circle: (cursor) => (cursor === undefined ? page(['first'], 'round') : page(['second'], 'round')),
  empty(cursor) {
    if (cursor === undefined) return page(['a'], '')
    return cursor === '' ? page(['b'], 'end') : page(['c'])
  },
  endless: (cursor = '0') => page([`tool-${cursor}`], String(Number(cursor) + 1)),
  crowd: () => page(Array.from({ length: 100_000 }, (_, at) => `tool-${at}`)),
  schemas: () => ({
    tools: [
      toolNamed('lost', giving({ properties: { a: { $ref: '#/$defs/gone' } } })),
      toolNamed('circular', giving({ $ref: '#' })),
      toolNamed('pattern', giving({ properties: { a: { pattern: '(((' } } })),
      toolNamed('typeless', giving({ properties: { a: { type: 'thing' } } })),
      toolNamed('remote', giving({ $ref: 'http://127.0.0.1:9/schema.json' })),
      { name: 'bare' },
      { name: 'null', inputSchema: null },
      toolNamed('old', {
        outputSchema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { word: { type: 'string', format: 'of-our-own' } },
          required: ['word'],
        },
      }),
      toolNamed('plain'),
    ],
  }),
  nameless: () => ({
    tools: [null, 5, 'text', [], {}, { name: 7 }, { name: null }, toolNamed('plain')],
  }),
}

const results = { old: { ...words('w'), structuredContent: { word: 'w' } }, cursors: undefined }

hear((message) => {
  const { id, method, params } = message
  if (method === 'tools/list') {
    cursors.push(params?.cursor ?? null)
    say(answered(id, lists[process.argv[2]](params?.cursor)))
  } else if (method === 'tools/call') {
    const { name } = params
    const told = name === 'cursors' ? words(JSON.stringify(cursors)) : words(`ran ${name}`)
    say(answered(id, (Object.hasOwn(results, name) ? results[name] : undefined) ?? told))
  } else {
    const answer = manners(message, {})
    if (answer !== undefined) say(answer)
  }
})
