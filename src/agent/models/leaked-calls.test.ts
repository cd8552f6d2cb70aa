import { describe, expect, it } from 'vitest'
import { leakedCall } from './leaked-calls.ts'

describe('a call in a text', () => {
  it.each([
    '<\uff5cDSML\uff5ctool_calls>\n<\uff5cDSML\uff5cinvoke name="add">',
    '<\uff5cDSML\uff5c calls>',
    '<\uff5ctool\u2581calls\u2581begin\uff5c>function',
    '<tool_call>\n{"name": "add"}\n</tool_call>',
    '[TOOL_CALLS][{"name":"add"}]',
    '<|python_tag|>add.call()',
    '<function=add>{"a":1}</function>',
    '<function_calls>\n<invoke name="add">',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0',
  ])('is found in %j', (text) => {
    expect(leakedCall(text)?.at).toBe(0)
    expect(leakedCall(`Well. ${text}`)?.at).toBe(6)
  })

  it.each([
    '',
    'I call add(1, 2).',
    '{"name":"add","arguments":{}}',
    '<tool>',
    '<DSML>',
    '[TOOLS]',
  ])('is not seen in %j', (text) => {
    expect(leakedCall(text)).toBeUndefined()
  })

  it('is the first of several', () => {
    expect(leakedCall('a [TOOL_CALLS] <tool_call>')).toEqual({ mark: '[TOOL_CALLS]', at: 2 })
  })
})
