/**
 * The calculator as a tool: what it tells of itself, what it answers, how it fails.
 */
import { expect, it } from 'vitest'
import { idleContext } from '../../test/support/tool-context.ts'
import { isJsonObject } from '../base/json.ts'
import { compileSchema } from '../schema/check.ts'
import { toResult, ToolError } from '../tools/define.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { calculator } from './calculator.ts'

async function call(expr: string): Promise<CallToolResult> {
  return toResult(await calculator().run({ expr }, idleContext()), true)
}

it('answers 23*7 with the text 161 and the value 161', async () => {
  expect(await call('23*7')).toEqual({
    content: [{ type: 'text', text: '161' }],
    structuredContent: { value: 161 },
  })
})

it('tells of itself what a client needs to use it', () => {
  const { tool } = calculator()
  expect(tool).toMatchObject({
    name: 'calculator',
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: { type: 'object', required: ['expr'] },
    outputSchema: { type: 'object', required: ['value'] },
  })
})

it('keeps its output schema for whole, broken, large and tiny results [TOOL-07]', async () => {
  const { outputSchema = {} } = calculator().tool
  const schema = await compileSchema(outputSchema)
  for (const expr of ['1', '1/3', '2^64', '1e-300', '-0', '1e-999']) {
    const { structuredContent } = await call(expr)
    expect(isJsonObject(structuredContent)).toBe(true)
    expect(schema.kind === 'checkable' && schema.check(structuredContent).valid).toBe(true)
  }
})

it('fails with the words of the arithmetic, as a tool error [TOOL-14]', async () => {
  const failures: [string, string][] = [
    ['1/0', 'Division by zero at position 2.'],
    ['', 'The expression is empty. Write one, for example 23*7.'],
    ['9^9^9^9', 'The result at position 4 is too large: numbers end at about 1.8e308.'],
    ['__import__("os")', 'Unexpected "_" at position 1: expected a number or "(".'],
  ]
  for (const [expr, message] of failures) {
    const error: unknown = await call(expr).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ToolError)
    expect(error).toHaveProperty('message', message)
  }
})
