/** Finds what the suite wrote about each scenario: `checks.json` in folders named after it and the time. Judges nothing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The checks below a folder by scenario, as they were parsed; a file that is not JSON counts as its text. */
export function checksIn(
  folder: string,
  scenarios: readonly string[],
): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  if (!existsSync(folder)) return found
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/(^|[\\/])checks\.json$/.test(path)) continue
    const scenario = scenarioOf(dirname(path).replaceAll('\\', '/'), scenarios)
    if (scenario !== undefined) found.set(scenario, read(join(folder, path)))
  }
  return found
}

/** Folders are `name-time`, and of a server `server-name-time`; a name may hold a `/`. */
function scenarioOf(folder: string, scenarios: readonly string[]): string | undefined {
  const name = folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
  return scenarios.find((scenario) => name === scenario || name === `server-${scenario}`)
}

function read(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text // The judge refuses what is no list.
  }
}
