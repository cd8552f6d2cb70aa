/**
 * The processes that a comparison starts besides itself, all of them this program: a server of the tool that can be edited and
 * stalled while it runs, and a host whose tool runs inside of it. They say one line of JSON on standard output when they are ready.
 */

import { unwatchFile, watchFile } from 'node:fs'
import { PRODUCT } from '../../client/options.ts'
import { Server } from '../../server/server.ts'
import type { ToolDefinition } from '../../tools/define.ts'
import { stdioServer } from '../../transport/node/stdio-server.ts'
import type { Invocation } from '../invocation.ts'
import { framework, functionCalling } from './in-process.ts'
import { CALL_ID } from './round.ts'
import { described, type Subject } from './subject.ts'
import { readTool, TOOL_FILE } from './tool-file.ts'

export const ROLES = ['server', 'http-server', 'function-calling', 'framework'] as const
export type Role = (typeof ROLES)[number]

/** How often a server looks whether its tool was edited, in ms. */
const LOOK_MS = 20
/** Longest life of a call that does not end, in ms: whoever waits for it has gone by then. */
const STALL_MS = 60_000

export async function play(role: Role, subject: Subject, invocation: Invocation): Promise<void> {
  const { signal } = invocation
  switch (role) {
    case 'server':
      return serve(subject, invocation)
    case 'http-server':
      return serveHttp(subject, invocation)
    case 'function-calling':
    case 'framework': {
      const stalled: ToolDefinition = {
        ...subject.definition,
        run: () => stall(() => invocation.output.jsonLine({ pid: process.pid })),
      }
      const way = role === 'framework' ? framework : functionCalling
      const argumentsText = JSON.stringify(subject.args)
      await way(stalled, signal).call({ id: CALL_ID, name: subject.name, argumentsText })
      return
    }
    default:
      role satisfies never
  }
}

async function serve(subject: Subject, { env, logger }: Invocation): Promise<void> {
  const file = env[TOOL_FILE]
  const server = serverOf(subject, file)
  const look = (): void => {
    server.tools.remove(subject.name)
    server.tools.add(editable(subject, file))
    logger.debug('the tool was edited')
  }
  if (file !== undefined) watchFile(file, { interval: LOOK_MS }, look)
  try {
    await server.accept(stdioServer())
  } finally {
    if (file !== undefined) unwatchFile(file, look)
  }
}

async function serveHttp(subject: Subject, { output, signal }: Invocation): Promise<void> {
  const { serveHttp: listen } = await import('../../server/node/serve-http.ts')
  const served = await listen(serverOf(subject, undefined))
  output.jsonLine({ pid: process.pid, url: served.url })
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await served.close()
}

function serverOf(subject: Subject, file: string | undefined): Server {
  const { version } = PRODUCT
  return new Server({ name: subject.name, version, tools: [editable(subject, file)] })
}

/** The tool as it is written down now; without a file, or with one that is half written, as it is in the program. */
function editable({ definition }: Subject, file: string | undefined): ToolDefinition {
  const { description, stalls } = file === undefined ? {} : readTool(file)
  const tool = description === undefined ? definition : described(definition, description)
  if (stalls !== true) return tool
  return { ...tool, run: (_args, { progress }) => stall(() => progress({ progress: 1 })) }
}

/** Says that it has begun, and then does not end. */
function stall(begun: () => void): Promise<void> {
  begun()
  return new Promise((resolve) => setTimeout(resolve, STALL_MS))
}
