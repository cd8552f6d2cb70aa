/** Tools of the suite whose calls go on as tasks, where the client can follow one. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  defineTool,
  elicit,
  RpcRefusal,
  ToolError,
  type RequestContext,
  type ToolDefinition,
} from '../../../src/index.ts'

/** The suite wants to see a job at work before it fails. */
const JOB_MS = 1000
const INTERNAL_ERROR = -32_603

export const taskTools: readonly ToolDefinition[] = [
  defineTool<{ readonly name?: string }>({
    name: 'greet',
    description: 'Greets at once',
    input: { type: 'object', properties: { name: { type: 'string' } } },
    run: ({ name = 'World' }) => `Hello, ${name}!`,
  }),
  defineTool<{ readonly seconds?: number; readonly label?: string }>({
    name: 'slow_compute',
    description: 'Takes its time',
    input: {
      type: 'object',
      properties: { seconds: { type: 'number', minimum: 0 }, label: { type: 'string' } },
    },
    task: 'optional',
    async run({ seconds = 1, label = 'work' }, { signal }) {
      await sleep(seconds * 1000, undefined, { signal })
      return `Computed ${label} in ${seconds} s`
    },
  }),
  defineTool({
    name: 'failing_job',
    description: 'Fails as a tool, after a while',
    task: 'required',
    async run(_, { signal }) {
      await sleep(JOB_MS, undefined, { signal })
      throw new ToolError('This job always fails')
    },
  }),
  defineTool({
    name: 'protocol_error_job',
    description: 'Fails as a request, after a while',
    task: 'required',
    async run(_, { signal }) {
      await sleep(JOB_MS, undefined, { signal })
      throw new RpcRefusal(INTERNAL_ERROR, 'This job breaks down')
    },
  }),
  defineTool<{ readonly filename?: string }>({
    name: 'confirm_delete',
    description: 'Deletes nothing, once that is confirmed',
    input: { type: 'object', properties: { filename: { type: 'string' } } },
    task: 'optional',
    async run({ filename = 'nothing' }, context) {
      const confirmed = await field(context, 'confirm', {
        message: `Delete ${filename}?`,
        schema: { type: 'boolean' },
      })
      return confirmed === true ? `Deleted ${filename}` : `Kept ${filename}`
    },
  }),
  defineTool({
    name: 'multi_input',
    description: 'Asks two things at once',
    task: 'optional',
    async run(_, context) {
      const [name, confirm] = await Promise.all([
        field(context, 'name', { message: 'Who are you?', schema: { type: 'string' } }),
        field(context, 'confirm', { message: 'Go on?', schema: { type: 'boolean' } }),
      ])
      return `${String(name)}: ${String(confirm)}`
    },
  }),
  defineTool({
    name: 'test_tool_with_task',
    description: 'Asks first and goes on as a task',
    task: { support: 'required', starts: 'later' },
    async run(_, context) {
      const name = await field(context, 'user_name', {
        field: 'name',
        message: 'Who are you?',
        schema: { type: 'string' },
      })
      context.becomeTask()
      return `Done for ${String(name)}`
    },
  }),
]

interface Asked {
  /** Default: the key. */
  readonly field?: string
  readonly message: string
  readonly schema: { readonly type: 'string' | 'boolean' }
}

async function field(
  context: RequestContext,
  key: string,
  { field: name = key, message, schema }: Asked,
): Promise<unknown> {
  const { content } = await context.ask(
    key,
    elicit({
      message,
      requestedSchema: { type: 'object', properties: { [name]: schema }, required: [name] },
    }),
  )
  return content?.[name]
}
