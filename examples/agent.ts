/** A model that calls tools: any that is known, here over two servers. Run it in the project, after `npm run build`; a key is needed. */
import { nodeModelOf, runAgent, Transcript } from '../src/agent/index.ts'
import { Host, loadConfig } from '../src/host/index.ts'

const { env } = process
const files = ['examples/two-servers.jsonc']

async function main(): Promise<void> {
  const { model } = nodeModelOf(undefined, { env }) // as DEEP_PILOT_MODEL says, else deepseek
  const config = await loadConfig({ files, cwd: process.cwd(), env })
  const host = await Host.open(config, { lock: false })
  try {
    await host.settled()
    const transcript = new Transcript()
    transcript.say(process.argv[2] ?? 'What is 23*7, and what is the weather in Beijing?')
    const run = runAgent({ model, host, transcript, budget: { turns: 10 } })
    for await (const event of run) {
      if (event.type === 'call') console.log(event.call.id, event.call.alias, event.call.args)
      if (event.type === 'result') console.log(event.call.id, event.shown)
      if (event.type !== 'end') continue
      const { reason, text, error } = event.end
      if (error !== undefined) throw error // the model: not reached, no key, an error of its own
      console.log(`${reason}: ${text}`)
      if (reason !== 'done') process.exitCode = 1
    }
  } finally {
    await host.close()
    model.close?.()
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
