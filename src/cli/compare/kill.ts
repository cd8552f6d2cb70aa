/** The process that runs the tool is killed in the middle of a call: who is left? */

import { asError, BugError, PilotError } from '../../base/errors.ts'
import { startChild } from './child.ts'
import type { Killed } from './measured.ts'
import type { McpWay } from './mcp-way.ts'
import type { Role } from './roles.ts'
import type { SubjectName } from './subject.ts'

/** A host whose tool runs inside of it: the process of the tool is that of the host. */
export async function killInProcess(
  role: Extract<Role, 'function-calling' | 'framework'>,
  { program, tool }: { readonly program: string; readonly tool: SubjectName },
  signal: AbortSignal,
): Promise<Killed> {
  const child = await startChild(program, ['compare', '--role', role, '--tool', tool], signal)
  return { host: 'gone', signal: await child.kill() }
}

/** The host over the protocol. The call that was under way fails, and the next one finds the server again. */
export async function killOverMcp(way: McpWay, signal: AbortSignal): Promise<Killed> {
  const description = 'Begins and does not end.'
  await way.edit({ description, stalls: true })
  await way.until(() => way.tool?.description === description, signal)
  const code = await lostCall(way, signal)
  const started = performance.now()
  await way.call({ signal })
  return { host: 'alive', code, backMs: performance.now() - started }
}

/** Kills the server as soon as the body has begun, and gives the code of the error that the call ends with. */
async function lostCall(way: McpWay, signal: AbortSignal): Promise<string> {
  const { pid } = way
  const { description = '' } = way.subject.definition.tool
  if (pid === undefined) throw new BugError('The server has no process.')
  const broken = new AbortController()
  let begun = false
  const onProgress = (): void => {
    if (begun) return
    begun = true
    // Mended first: the next process is to find a tool that ends.
    way
      .edit({ description })
      .then(() => process.kill(pid, 'SIGKILL'))
      .catch((error: unknown) => broken.abort(error))
  }
  try {
    await way.call({ signal: AbortSignal.any([signal, broken.signal]), onProgress })
  } catch (error) {
    if (broken.signal.aborted) throw asError(broken.signal.reason)
    if (signal.aborted || !(error instanceof PilotError)) throw error
    return error.code
  }
  throw new BugError(`The call went well though process ${pid} was killed.`)
}
