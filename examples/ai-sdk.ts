/**
 * The tools of a host in the AI SDK: servers, the program's own tools, one gate. Whatever model the SDK is given decides; here it is
 * the SDK's own mock, so that this runs without a key. `ai` and the model are yours to install.
 */
import { generateText, jsonSchema, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { aiSdkTools } from '../src/agent/index.ts'
import { Host, loadConfig } from '../src/host/index.ts'
import { defineTool } from '../src/index.ts'

const greet = defineTool<{ name: string }>({
  name: 'greet',
  description: 'Greets somebody.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})

// In place of a provider: three calls at once, one of a tool that nobody allowed, then the end.
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}
const call = (id: string, toolName: string, input: object) =>
  ({ type: 'tool-call', toolCallId: id, toolName, input: JSON.stringify(input) }) as const
const model = new MockLanguageModelV3({
  doGenerate: [
    {
      content: [
        call('1', 'greet', { name: 'Ada' }),
        call('2', 'calculator__calculator', { expr: '23*7' }),
        call('3', 'weather__weather', { city: 'Beijing' }),
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  ],
})

const files = ['examples/two-servers.jsonc']
const config = await loadConfig({ files, cwd: process.cwd(), env: process.env })
// Without a `consent` nobody is asked: what the policy does not allow is refused.
const host = await Host.open(config, { lock: false })
try {
  host.mount([greet])
  await host.settled()
  const { text, steps } = await generateText({
    model,
    tools: aiSdkTools(host, { jsonSchema }),
    prompt: 'Greet Ada, work out 23*7, and look at the weather.',
    stopWhen: stepCountIs(5),
  })
  for (const part of steps.flatMap(({ content }) => content)) {
    if (part.type === 'tool-result')
      console.log(`${part.toolName}: ${(part.output as Output).text}`)
    if (part.type === 'tool-error') console.log(`${part.toolName}: ${String(part.error)}`)
  }
  console.log(text)
} finally {
  await host.close()
}

type Output = Awaited<ReturnType<ReturnType<typeof aiSdkTools>[string]['execute']>>
