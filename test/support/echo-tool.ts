/** A tool that says its words again, as progress and as its answer, after as many turns as it is told. */
import { defineTool, type ToolDefinition } from '../../src/tools/define.ts'

export function echo(ran: string[] = []): ToolDefinition {
  return defineTool<{ text?: string; turns?: number }>({
    name: 'echo',
    input: {
      type: 'object',
      properties: { text: { type: 'string' }, turns: { type: 'integer' } },
    },
    async run({ text = '', turns = 0 }, context) {
      ran.push('echo')
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
      context.progress({ progress: 1, message: text })
      return `${text} for ${context.auth?.principal ?? 'nobody'}`
    },
  })
}
