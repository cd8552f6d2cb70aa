/**
 * The server under test: what the conformance suite wants to find, made with the public doors alone. Prints its URL as the
 * first line and serves until it is told to end. A port may be given.
 */
import { Server, skillsExtension } from '../../src/index.ts'
import { serveHttp } from '../../src/node/index.ts'
import { askingTools } from './server/asking-tools.ts'
import { contentTools } from './server/content-tools.ts'
import { prompts } from './server/prompts.ts'
import { resources, templates } from './server/resources.ts'
import { roundTools } from './server/round-tools.ts'
import { skills } from './server/skills.ts'
import { taskTools } from './server/task-tools.ts'
import { tellingTools, triggerTools } from './server/telling-tools.ts'

const server: Server = new Server({
  name: 'conformance-server',
  version: '1.0.0',
  logging: true,
  tools: [
    ...contentTools,
    ...tellingTools,
    ...triggerTools(() => server),
    ...askingTools,
    ...roundTools,
    ...taskTools,
  ],
  prompts,
  resources,
  templates,
  tasks: true,
  extensions: [await skillsExtension({ skills })],
})
const port = Number(process.argv.at(-1))
const served = await serveHttp(server, { port: Number.isInteger(port) ? port : 0 })
process.stdout.write(`${served.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void served.close().then(() => process.exit(0))
  })
}
