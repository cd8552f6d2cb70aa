/**
 * Takes a CPU profile of our client and of our server while calls are in flight, and says where the
 * time goes. Apart from the measured rounds, as profiling slows both sides down.
 */

import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, runDriver } from './driver.ts'
import type { Bench } from './section.ts'
import { clients, missing, servers, sides } from './subjects.ts'

const FUNCTIONS = 15

/** What of V8's profile is read here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
    }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Gives the text to print; the profiles stay in the folder. */
export async function profileCalls(bench: Bench, folder: string): Promise<string> {
  const pair = {
    id: 'ours',
    label: 'deep-pilot',
    role: 'ours',
    client: clients.ours,
    server: servers.ours,
  } as const
  const problem = missing(pair, false)
  if (problem !== undefined) return `profile  left out: ${problem}`
  const place = resolve(root, folder)
  mkdirSync(place, { recursive: true })
  bench.progress('profile: calls in flight')
  const words = (name: string): string[] => [
    '--cpu-prof',
    `--cpu-prof-dir=${place}`,
    `--cpu-prof-name=${name}`,
  ]
  const { order } = sides(pair)
  const { command, args } = order.server as { command: string; args: string[] } // as `sides` makes it
  await runDriver(
    'calls',
    {
      client: order.client,
      server: { command, args: [...words('server.cpuprofile'), ...args] },
      inFlight: 64,
      warmUp: { atLeast: 5000, ms: 500 },
      measure: { atLeast: 20_000, ms: 2000 },
      serial: { atLeast: 1, ms: 1 },
    },
    { nodeWords: words('client.cpuprofile') },
  )
  return ['client', 'server']
    .map((side) => topFunctions(side, join(place, `${side}.cpuprofile`)))
    .join('\n')
}

function topFunctions(side: string, file: string): string {
  const profile: Profile = JSON.parse(readFileSync(file, 'utf8')) // written by V8
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === '' ? '' : `  ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`
      return [id, `${functionName === '' ? '(anonymous)' : functionName}${place}`]
    }),
  )
  const selfTime = new Map<string, number>()
  let busy = 0
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? '(unknown)'
    if (name === '(idle)') continue
    const time = profile.timeDeltas[index] ?? 0
    busy += time
    selfTime.set(name, (selfTime.get(name) ?? 0) + time)
  }
  const top = [...selfTime].sort(([, a], [, b]) => b - a).slice(0, FUNCTIONS)
  const lines = top.map(
    ([name, time]) => `  ${((time / busy) * 100).toFixed(1).padStart(5)} %  ${name}`,
  )
  return [`profile of the ${side}, own time while busy: ${file}`, ...lines].join('\n')
}
