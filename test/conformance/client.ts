/**
 * The client under test: carries out the scenario that the suite names in the environment, against the URL that is its last
 * word, made with the public doors alone. Ends with 0 when it was carried out, with 1 when it had to give up.
 */
import { describeError } from '../../src/index.ts'
import { openVisit, readContext } from './client/visit.ts'
import { scenarioFor } from './client/scenarios.ts'

/** The suite kills no more than the shell around a client that hangs. */
const DEADLINE_MS = 25_000

const deadline = setTimeout(() => {
  process.stderr.write(`Not done after ${DEADLINE_MS} ms.\n`)
  process.exit(3)
}, DEADLINE_MS)
try {
  await main(process.env['MCP_CONFORMANCE_SCENARIO'], process.argv.at(-1))
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`)
  process.exitCode = 1
} finally {
  clearTimeout(deadline)
}

async function main(name: string | undefined, url: string | undefined): Promise<void> {
  const scenario = name === undefined ? undefined : scenarioFor(name)
  if (name === undefined || scenario === undefined || url === undefined || !url.includes('://')) {
    process.stderr.write(
      `Set MCP_CONFORMANCE_SCENARIO to a scenario of the suite and give a URL; "${name}" is none that is known.\n`,
    )
    process.exitCode = 2
    return
  }
  const visit = await openVisit(url, {
    revision: process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'],
    context: readContext(process.env['MCP_CONFORMANCE_CONTEXT']),
    checked: scenario.unchecked !== true,
  })
  try {
    await scenario.run(visit)
  } finally {
    await visit.client.close()
  }
}
