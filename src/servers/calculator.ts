/**
 * The calculator as a tool. The arithmetic is in `arithmetic.ts`.
 */

import { UsageError } from '../base/errors.ts'
import { defineTool, reply, ToolError } from '../tools/define.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { evaluate, MAX_EXPRESSION_LENGTH } from './arithmetic.ts'

/** The tool `calculator`: `{ expr: "23*7" }` gives the text `161` and `{ value: 161 }`. */
export function calculator(): ToolDefinition {
  return defineTool<{ expr: string }, { value: number }>({
    name: 'calculator',
    title: 'Calculator',
    description:
      'Works out an arithmetic expression with + - * / % (remainder) ^ (power), signs, parentheses and decimals, ' +
      'for example 23*7 or (1+2)^3/4. Decimals are exact: 0.1+0.2 is 0.3. No variables and no functions.',
    input: {
      type: 'object',
      properties: {
        expr: {
          type: 'string',
          description: 'The expression, for example 23*7',
          maxLength: MAX_EXPRESSION_LENGTH,
        },
      },
      required: ['expr'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { value: { type: 'number', description: 'The result' } },
      required: ['value'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run({ expr }) {
      const { value, text } = evaluated(expr)
      return reply({ content: [{ type: 'text', text }], structuredContent: { value } })
    },
  })
}

function evaluated(expr: string): { value: number; text: string } {
  try {
    return evaluate(expr)
  } catch (error) {
    if (error instanceof UsageError) throw new ToolError(error.message, { cause: error })
    throw error
  }
}
