/**
 * The tools of a host in LangChain: what `bindTools`, a `ToolNode` or an agent takes. Each call goes through the gate of the host; what
 * fails is a message that the model can read. Here the calls stand in the code, so that this runs without a key.
 */
import { ToolMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { langChainTools } from '../src/agent/index.ts'
import { Host, loadConfig } from '../src/host/index.ts'

const files = ['examples/two-servers.jsonc']
const config = await loadConfig({ files, cwd: process.cwd(), env: process.env })
// Without a `consent` nobody is asked: what the policy does not allow is refused.
const host = await Host.open(config, { lock: false })
try {
  await host.settled()
  const tools = langChainTools(host, { DynamicStructuredTool, ToolMessage })
  const byName = new Map(tools.map((tool) => [tool.name, tool]))

  // As a model would call them: with an id, which the answer carries.
  const calls = [
    { name: 'calculator__calculator', args: { expr: '23*7' } },
    { name: 'calculator__calculator', args: { expr: '1/0' } },
    { name: 'weather__weather', args: { city: 'Beijing' } },
  ]
  for (const [at, { name, args }] of calls.entries()) {
    const call = { type: 'tool_call', id: `call_${at + 1}`, name, args } as const
    const message = (await byName.get(name)?.invoke(call)) as ToolMessage // it answers a call
    console.log(`${message.tool_call_id} ${message.status}: ${message.text}`)
  }
} finally {
  await host.close()
}
