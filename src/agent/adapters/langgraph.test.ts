/** The adapter for LangChain in LangGraph's `ToolNode`, of the package itself. */
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { describe, expect, it } from 'vitest'
import { hostRoom, tool, toolServer, type HostRoom } from '../../../test/support/host-room.ts'
import { langChainTools } from './langchain.ts'

const ADD = tool('add', {
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
})
const yes = { replies: [{ kind: 'once' }] } as const

/** A graph of the node alone. */
async function throughNode(
  { host }: Pick<HostRoom, 'host'>,
  calls: readonly { readonly name: string; readonly args: Record<string, unknown> }[],
  signal?: AbortSignal,
): Promise<readonly ToolMessage[]> {
  const node = new ToolNode(langChainTools(host, { DynamicStructuredTool, ToolMessage }))
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', node)
    .addEdge('__start__', 'tools')
    .addEdge('tools', '__end__')
    .compile()
  const asked = new AIMessage({
    content: '',
    tool_calls: calls.map((call, at) => ({ type: 'tool_call', id: `call_${at}`, ...call })),
  })
  const { messages } = await graph.invoke(
    { messages: [asked] },
    { ...(signal !== undefined && { signal }) },
  )
  return messages.filter((message: BaseMessage): message is ToolMessage =>
    ToolMessage.isInstance(message),
  )
}

describe('the tools of a host in a ToolNode', () => {
  it('are called at once, and each call has its message with its id and the whole result', async () => {
    const math = toolServer(ADD)
    math.answer = (_name, { a, b }) => {
      const sum = Number(a) + Number(b)
      return { content: [{ type: 'text', text: String(sum) }], structuredContent: { sum } }
    }
    const room = await hostRoom({ math }, yes)
    const messages = await throughNode(room, [
      { name: 'math__add', args: { a: 1, b: 2 } },
      { name: 'math__add', args: { a: 3, b: 4 } },
    ])
    expect(messages).toMatchObject([
      { tool_call_id: 'call_0', content: '3', artifact: { structuredContent: { sum: 3 } } },
      { tool_call_id: 'call_1', content: '7', artifact: { structuredContent: { sum: 7 } } },
    ])
  })

  it('that are refused, or fail, are messages of status error, and the graph goes on', async () => {
    const math = toolServer(ADD)
    const refused = await hostRoom({ math })
    const [no] = await throughNode(refused, [{ name: 'math__add', args: { a: 1, b: 2 } }])
    expect(no).toMatchObject({ status: 'error', tool_call_id: 'call_0' })
    expect(no?.content).toContain('math__add was not called')
    expect(math.calls).toEqual([])
    math.answer = () => ({ content: [{ type: 'text', text: 'overflow' }], isError: true })
    const room = await hostRoom({ math }, yes)
    const [failed] = await throughNode(room, [{ name: 'math__add', args: { a: 1, b: 2 } }])
    expect(failed).toMatchObject({ status: 'error', artifact: { isError: true } })
    expect(failed?.content).toContain('overflow')
  })

  it('that do not fit their schema, or that there are not, are told as such, and nothing is sent', async () => {
    const math = toolServer(ADD)
    const room = await hostRoom({ math }, yes)
    const messages = await throughNode(room, [
      { name: 'math__add', args: { a: 'one' } },
      { name: 'math__nothing', args: {} },
    ])
    expect(messages.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_0', 'call_1'])
    for (const { content } of messages) expect(content).toMatch(/^Error/)
    expect(math.calls).toEqual([])
  })

  it('are given up with the signal of the graph', async () => {
    const math = toolServer(ADD)
    const stop = new AbortController()
    math.answer = () => {
      stop.abort()
      return new Promise(() => undefined)
    }
    const room = await hostRoom({ math }, yes)
    const run = throughNode(room, [{ name: 'math__add', args: { a: 1, b: 2 } }], stop.signal)
    await expect(run).rejects.toThrow(/abort/i)
    await room.later()
    expect(room.audit.at(-1)).toMatchObject({ type: 'outcome', error: 'DP_CANCELLED' })
  })
})
