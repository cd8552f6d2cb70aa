/** The shapes of the comparison in the packages that they are of. */
import { DynamicStructuredTool } from '@langchain/core/tools'
import { jsonSchema, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { aiSdkShape, framework, functionCalling, langChainShape } from './in-process.ts'
import { subjectOf } from './subject.ts'

const { signal } = new AbortController()
const calculator = subjectOf('calculator')
const call = { id: 'call_1', name: 'calculator', argumentsText: '{"expr":"23*7"}' }

describe('the shape of a framework', () => {
  it('is taken by LangChain, which invokes it', async () => {
    const made = new DynamicStructuredTool(langChainShape(calculator.definition, signal))
    expect(await made.invoke({ expr: '23*7' })).toBe('161')
    await expect(made.invoke({ expr: 7 })).rejects.toThrow('schema')
  })

  it('is taken by the AI SDK, which executes it', async () => {
    const shape = aiSdkShape(calculator.definition, signal)
    const made = tool({ ...shape, inputSchema: jsonSchema(shape.inputSchema) })
    expect(await made.execute?.({ expr: '23*7' }, { toolCallId: 'c', messages: [] })).toBe('161')
  })

  it('is called as the model wants it', async () => {
    expect(await framework(calculator.definition, signal).call(call)).toBe('161')
  })
})

describe('function calling alone', () => {
  it('runs the function that the model named', async () => {
    expect(await functionCalling(calculator.definition, signal).call(call)).toBe('161')
  })

  it('answers a name that no function has', async () => {
    const way = functionCalling(calculator.definition, signal)
    expect(await way.call({ ...call, name: 'toString' })).toBe('There is no toString.')
  })
})
