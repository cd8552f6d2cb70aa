/** The scenario of the killed host: whatever happens to it, none of its servers may stay. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { untilGone } from './port.ts'

/** Bundles one TypeScript file for a process of its own. The caller removes the result. */
export async function bundle(name: string): Promise<string> {
  const folder = join(process.cwd(), 'test', 'support', 'stdio')
  const outfile = join(
    process.cwd(),
    'node_modules/.cache/deep-pilot/peers',
    `${name}-${process.pid}-${bundles++}.mjs`,
  )
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return outfile
}

let bundles = 0

export interface OrphanOptions {
  /** How often a host is killed. */
  readonly times: number
  /** Default three servers that ignore the end of input and every signal that can be ignored. */
  readonly servers?: number
  readonly way?: string
  /** `kill` is SIGKILL from outside, `exit` an end without closing anything. Default `kill`. */
  readonly end?: 'kill' | 'exit'
}

/** Kills hosts one after the other; gives for each the milliseconds until all was gone, or `undefined`. */
export async function killHosts(options: OrphanOptions): Promise<readonly (number | undefined)[]> {
  const host = await bundle('orphan-host')
  const waits: Promise<number | undefined>[] = []
  try {
    for (let time = 0; time < options.times; time += 1) {
      const pids = await killHost(host, options)
      waits.push(untilGone(pids))
      // A few are looked at while the next host starts, so that a hundred take a minute and not four.
      await waits.at(-8)
    }
    return await Promise.all(waits)
  } finally {
    rmSync(host, { force: true })
  }
}

/** Gives the processes that have to go from now on. */
async function killHost(host: string, options: OrphanOptions): Promise<readonly number[]> {
  const { servers = 3, way = 'stubborn', end = 'kill' } = options
  const peer = join(process.cwd(), 'test', 'support', 'stdio', 'peer.mjs')
  const child = spawn(process.execPath, [host, peer, way, String(servers), end], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids = await new Promise<number[]>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.endsWith('\n')) resolve(JSON.parse(text) as number[]) // a list of numbers, written by our own host
    })
    child.on('exit', (code) => reject(new Error(`the host ended too early, with ${code}`)))
  })
  if (pids.length !== servers + 1 || pids.includes(0)) throw new Error(`odd list: ${pids.join()}`)
  if (end === 'kill') child.kill('SIGKILL')
  return pids
}
