/** Tools of the suite that ask the client while they run: in both eras, by whichever way the revision has. */
import {
  defineTool,
  elicit,
  sample,
  type RequestContext,
  type ToolDefinition,
} from '../../../src/index.ts'

type FormSchema = Parameters<typeof elicit>[0] extends infer Params
  ? Params extends { readonly requestedSchema: infer Schema }
    ? Schema
    : never
  : never

export const askingTools: readonly ToolDefinition[] = [
  defineTool<{ readonly prompt?: string }>({
    name: 'test_sampling',
    description: 'Asks the model of the client',
    input: { type: 'object', properties: { prompt: { type: 'string' } } },
    run: async ({ prompt = 'Say something.' }, context) =>
      `LLM response: ${await sampledText(context, prompt)}`,
  }),
  defineTool({
    name: 'test_missing_capability',
    description: 'Cannot do without a client that samples',
    run: (_, context) => sampledText(context, 'Is there a model?'),
  }),
  defineTool<{ readonly message?: string }>({
    name: 'test_elicitation',
    description: 'Asks a person for a name and an address',
    input: { type: 'object', properties: { message: { type: 'string' } } },
    run: ({ message = 'Who are you?' }, context) =>
      filledIn(context, message, {
        type: 'object',
        properties: {
          username: { type: 'string', description: 'Name of the user' },
          email: { type: 'string', description: 'Address of the user' },
        },
        required: ['username', 'email'],
      }),
  }),
  defineTool({
    name: 'test_streaming_elicitation',
    description: 'Asks a person to confirm',
    run: (_, context) =>
      filledIn(context, 'Go on?', {
        type: 'object',
        properties: { confirm: { type: 'boolean' } },
        required: ['confirm'],
      }),
  }),
  defineTool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks with a default in every kind of field',
    run: (_, context) =>
      filledIn(context, 'Please look over these defaults', {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: {
            type: 'string',
            enum: ['active', 'inactive', 'pending'],
            default: 'active',
          },
          verified: { type: 'boolean', default: true },
        },
        required: [],
      }),
  }),
  defineTool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks for choices in all five spellings',
    run: (_, context) =>
      filledIn(context, 'Please choose', {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          titledSingle: { type: 'string', oneOf: titled('value') },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: {
            type: 'array',
            items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
          },
          titledMulti: { type: 'array', items: { anyOf: titled('value') } },
        },
        required: [],
      }),
  }),
]

function titled(word: string): { readonly const: string; readonly title: string }[] {
  return ['First', 'Second', 'Third'].map((title, at) => ({ const: `${word}${at + 1}`, title }))
}

async function sampledText(context: RequestContext, prompt: string): Promise<string> {
  const { content } = await context.ask(
    'sample',
    sample({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100,
    }),
  )
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n')
}

async function filledIn(
  context: RequestContext,
  message: string,
  requestedSchema: FormSchema,
): Promise<string> {
  const { action, content = {} } = await context.ask('form', elicit({ message, requestedSchema }))
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`
}
