/** A server with everything that the command line can ask for: texts, pictures, prompts, suggestions, changes. */
import { Server } from '../../src/server/server.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { defineResource } from '../../src/tools/resource.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { defineTool } from '../../src/tools/define.ts'

const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff)
const LANGUAGES = ['pascal', 'perl', 'php', 'prolog', 'python']

export function libraryServer(): Server {
  const server: Server = new Server({
    name: 'library',
    version: '1.2.3',
    title: 'A library',
    instructions: 'Ask for books by their names.\n\u001b[2JThen read them.',
    resources: [
      defineResource({
        uri: 'book://dune',
        name: 'dune',
        title: 'Dune',
        description: 'A desert.\nAnd worms.',
        mimeType: 'text/plain',
        size: 1536,
        read: () => 'A beginning is a very delicate time.\n— 沙丘',
      }),
      defineResource({
        uri: 'book://cover',
        name: 'cover',
        mimeType: 'image/png',
        read: () => PICTURE,
      }),
      defineResource({
        uri: 'book://parts',
        name: 'parts',
        read: () => ['first', { uri: 'book://parts/2', text: 'second' }],
      }),
      defineResource({ uri: 'book://mixed', name: 'mixed', read: () => ['words', PICTURE] }),
      defineResource({
        uri: 'book://hostile',
        name: 'hostile',
        read: () => '\u001b]0;owned\u0007',
      }),
    ],
    templates: [
      defineTemplate({
        uriTemplate: 'shelf://{language}/{book}',
        name: 'shelf',
        description: 'Books by language',
        complete: {
          language: (value) => LANGUAGES.filter((one) => one.startsWith(value)),
          book: (_, { arguments: { language } }) => (language === 'perl' ? ['camel'] : []),
        },
        read: (_, { language, book }) => `${String(book)} in ${String(language)}`,
      }),
    ],
    prompts: [
      definePrompt({
        name: 'review',
        description: 'Reviews a text',
        arguments: [
          { name: 'text', required: true },
          {
            name: 'language',
            complete: (value) => LANGUAGES.filter((one) => one.startsWith(value)),
          },
          { name: 'word', complete: () => Array.from({ length: 300 }, (_, at) => `word-${at}`) },
        ],
        get: ({ text, language = 'plain' }) => [
          { role: 'user', content: `Review this ${language} text:\n${text}` },
          { role: 'assistant', content: 'I will.' },
        ],
      }),
      definePrompt({ name: 'hello', title: 'A greeting', get: () => 'Say hello.' }),
    ],
    tools: [
      defineTool({
        name: 'touch',
        description: 'Changes what is listened to',
        input: { type: 'object' },
        run() {
          server.resourceUpdated('book://dune')
          server.prompts.remove('hello')
          return 'touched'
        },
      }),
    ],
  })
  return server
}
