/** Tools of the suite that tell something while they run: log messages, progress, changes of lists, a stream let go of. */
import { setTimeout as sleep } from 'node:timers/promises'
import { definePrompt, defineTool, type Server, type ToolDefinition } from '../../../src/index.ts'

/** What the suite asks for between two messages, in ms. */
const PAUSE_MS = 50

export const tellingTools: readonly ToolDefinition[] = [
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Sends three log messages',
    async run(_, context) {
      for (const text of ['started', 'processing data', 'completed']) {
        context.log('info', `Tool execution ${text}`)
        await sleep(PAUSE_MS)
      }
      return 'Three messages were logged.'
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Sends a log message, to whoever asked for such',
    run(_, context) {
      context.log('info', 'A message for whoever wants it')
      return 'Logged.'
    },
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports its progress three times',
    async run(_, context) {
      for (const progress of [0, 50, 100]) {
        context.progress({ progress, total: 100, message: `${progress} of 100` })
        await sleep(PAUSE_MS)
      }
      return 'Progress was reported.'
    },
  }),
  defineTool({
    name: 'test_reconnection',
    description: 'Lets go of its stream and answers on the next one',
    async run(_, context) {
      context.closeStream(PAUSE_MS)
      await sleep(4 * PAUSE_MS)
      return 'Answered after the stream was closed.'
    },
  }),
]

/** Tools that change the server's lists for a moment. */
export function triggerTools(server: () => Server): readonly ToolDefinition[] {
  const passing = defineTool({ name: 'passing', description: 'Not there for long', run: () => '' })
  const prompt = definePrompt({ name: 'passing', description: 'Not there for long', get: () => '' })
  return [
    defineTool({
      name: 'test_trigger_tool_change',
      description: 'Changes the list of tools',
      run() {
        server().tools.add(passing)
        server().tools.remove('passing')
        return 'The list of tools has changed.'
      },
    }),
    defineTool({
      name: 'test_trigger_prompt_change',
      description: 'Changes the list of prompts',
      run() {
        server().prompts.add(prompt)
        server().prompts.remove('passing')
        return 'The list of prompts has changed.'
      },
    }),
  ]
}
