/** Tools and the prompt of the suite that need input in the middle of a call, under the keys that the suite knows. */
import {
  definePrompt,
  defineTool,
  elicit,
  listRoots,
  sample,
  type PromptDefinition,
  type RequestContext,
  type ToolDefinition,
} from '../../../src/index.ts'

const NAME = 'test_input_required_result'

export const roundTools: readonly ToolDefinition[] = [
  defineTool({
    name: `${NAME}_elicitation`,
    description: 'Asks for a name, then greets',
    run: async (_, context) => `Hello, ${await textField(context, 'user_name', 'name')}!`,
  }),
  defineTool({
    name: `${NAME}_sampling`,
    description: 'Asks the model of the client for a capital',
    run: async (_, context) => `The model said: ${await sampled(context, 'capital_question')}`,
  }),
  defineTool({
    name: `${NAME}_list_roots`,
    description: 'Asks which folders are open',
    run: async (_, context) => `Open: ${await rootNames(context)}`,
  }),
  defineTool({
    name: `${NAME}_request_state`,
    description: 'Asks to confirm and looks at its own state again',
    run: (_, context) => confirmed(context),
  }),
  defineTool({
    name: `${NAME}_tampered_state`,
    description: 'Asks to confirm and refuses a state that was changed',
    run: (_, context) => confirmed(context),
  }),
  defineTool({
    name: `${NAME}_multiple_inputs`,
    description: 'Asks three things at once',
    async run(_, context) {
      const [name, greeting, roots] = await Promise.all([
        textField(context, 'user_name', 'name'),
        sampled(context, 'greeting'),
        rootNames(context),
      ])
      return `${greeting}, ${name}. Open: ${roots}`
    },
  }),
  defineTool({
    name: `${NAME}_multi_round`,
    description: 'Asks one thing after the other',
    async run(_, context) {
      const name = await textField(context, 'step1', 'name')
      return `${name} likes ${await textField(context, 'step2', 'color')}.`
    },
  }),
  defineTool({
    name: `${NAME}_capabilities`,
    description: 'Asks only what the client can be asked',
    async run(_, context) {
      const { sampling, elicitation } = context.client.capabilities
      const said = await Promise.all([
        ...(sampling === undefined ? [] : [sampled(context, 'greeting')]),
        ...(elicitation === undefined ? [] : [textField(context, 'user_name', 'name')]),
      ])
      return `Known: ${said.join(', ')}`
    },
  }),
]

export const roundPrompt: PromptDefinition = definePrompt({
  name: `${NAME}_prompt`,
  description: 'Asks for context, then makes a prompt of it',
  get: async (_, context) => `Look at this: ${await textField(context, 'user_context', 'context')}`,
})

/** One field of a form; a person who does not want to answer has no name. */
async function textField(context: RequestContext, key: string, field: string): Promise<string> {
  const question = elicit({
    message: `Please give your ${field}`,
    requestedSchema: {
      type: 'object',
      properties: { [field]: { type: 'string' } },
      required: [field],
    },
  })
  const { content } = await context.ask(key, question)
  return String(content?.[field] ?? 'nobody')
}

async function sampled(context: RequestContext, key: string): Promise<string> {
  const { content } = await context.ask(
    key,
    sample({
      messages: [
        { role: 'user', content: { type: 'text', text: 'What is the capital of France?' } },
      ],
      maxTokens: 100,
    }),
  )
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join(' ')
}

async function rootNames(context: RequestContext): Promise<string> {
  const { roots } = await context.ask('client_roots', listRoots())
  return roots.map(({ uri, name }) => name ?? uri).join(', ')
}

/** The state of a call is sealed by the server itself: who gets here again brought one that was not touched. */
async function confirmed(context: RequestContext): Promise<string> {
  const { content } = await context.ask(
    'confirm',
    elicit({
      message: 'Please confirm',
      requestedSchema: {
        type: 'object',
        properties: { ok: { type: 'boolean' } },
        required: ['ok'],
      },
    }),
  )
  return `state-ok, confirmed: ${String(content?.['ok'])}`
}
