/**
 * A server whose tool results are unusual and still mean something: the name of the tool says which. Tools that are
 * called `echo-…` give back what they were given.
 */
import { serve, words } from './talk.mjs'

const blocks = (...content) => ({ content })

serve({
  'no-content': () => ({ structuredContent: { n: 3 } }),
  nulls: () => ({
    content: [{ type: 'text', text: 'still', annotations: null, _meta: null }],
    structuredContent: null,
    isError: null,
    _meta: null,
  }),
  strange: () =>
    blocks(
      { type: 'text', text: 'x' },
      { type: 'smell', strength: 3 },
      { type: 'text', text: 'y' },
    ),
  nothing: () => blocks(),
  failed: () => ({ ...words('out of paper'), isError: true }),
  kinds: () =>
    blocks(
      { type: 'image', data: 'R0lGODlh', mimeType: 'image/gif' },
      { type: 'audio', data: 'SUQz', mimeType: 'audio/mpeg' },
      { type: 'resource', resource: { uri: 'a://b', blob: 'AAE=' } },
      { type: 'resource', resource: { uri: 'a://t', text: 'inner' } },
      { type: 'resource_link', uri: 'a://l', name: 'l' },
    ),
  'echo-arguments': (given) => words(JSON.stringify(given)),
  'echo-keys': (given) => words(JSON.stringify(Object.getOwnPropertyNames(given).toSorted())),
})
