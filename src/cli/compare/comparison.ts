/** The whole comparison, step by step: three ways to one tool, and what can be measured of each. */

import { BugError } from '../../base/errors.ts'
import type { ModelTool } from '../../agent/model.ts'
import { deepseekCodec } from '../../agent/models/deepseek.ts'
import type { HostTool } from '../../host/host-tool.ts'
import { resultToText } from '../../tools/content.ts'
import type { WireSink } from '../../jsonrpc/wire.ts'
import type { Invocation } from '../invocation.ts'
import { callFrames, chainOf, frameOf, listAnswer } from './chain.ts'
import { changeInProcess, changeOverMcp } from './change.ts'
import { framework, functionCalling, type InProcess } from './in-process.ts'
import { killInProcess, killOverMcp } from './kill.ts'
import { jsonBytes, jsonTokens, medianMs } from './measure-way.ts'
import type { ByWay, ChangeSeen, Compared, Killed } from './measured.ts'
import { CALL, McpWay, TURN } from './mcp-way.ts'
import { migrations } from './migration.ts'
import { oneRound, type Round, type RoundParts } from './round.ts'
import { shareOverMcp } from './shared.ts'
import type { Subject } from './subject.ts'

export interface ComparisonOptions {
  readonly subject: Subject
  /** Calls that the latency is the middle of. */
  readonly calls: number
  readonly wire: WireSink | undefined
  /** Hears what is being done, for a person who waits. */
  readonly onStep: (step: Step) => void
}

export type Step = 'rounds' | 'change' | 'kill' | 'share'

/** The name stands in the requests; nothing is sent to anybody. */
const MODEL = 'deepseek-flash'

/** One way in this process: how it ran, and what it would send once more. */
interface HereRan {
  readonly round: Round
  readonly latencyMs: number
  /** The request that it makes of its definition now. */
  again(): Promise<string>
}

export async function compare(
  { program, logger, signal }: Invocation,
  options: ComparisonOptions,
): Promise<Compared> {
  const { subject, onStep, wire } = options
  const { args, name } = subject
  await using way = await McpWay.open({ subject, program, logger, wire })
  onStep('rounds')
  const definition = way.load()
  const over = await overMcp(way, options, signal)
  const calling = await inProcess(functionCalling(definition, signal), options, signal)
  const object = await inProcess(framework(definition, signal), options, signal)
  onStep('change')
  const change: ByWay<ChangeSeen> = {
    mcp: await changeOverMcp(way, signal),
    functionCalling: changeInProcess(calling.round.bodies[0], await calling.again()),
    framework: changeInProcess(object.round.bodies[0], await object.again()),
  }
  onStep('kill')
  const own = { program, tool: name }
  const killed: ByWay<Killed> = {
    mcp: await killOverMcp(way, signal),
    functionCalling: await killInProcess('function-calling', own, signal),
    framework: await killInProcess('framework', own, signal),
  }
  onStep('share')
  const shared = await shareOverMcp(subject, program, signal)
  return {
    tool: name,
    args,
    calls: options.calls,
    hostPid: process.pid,
    rounds: { functionCalling: calling.round, mcp: over.round, framework: object.round },
    frames: over.frames,
    definition: over.definition,
    pid: { functionCalling: process.pid, mcp: over.pid, framework: process.pid },
    change,
    killed,
    python: over.python,
    migration: migrations(subject.definition.tool),
    hosts: { functionCalling: 1, mcp: shared.hosts, framework: 1 },
    sharedPid: shared.pid,
    latencyMs: {
      functionCalling: calling.latencyMs,
      mcp: over.latencyMs,
      framework: object.latencyMs,
    },
    wireBytes: { functionCalling: 0, mcp: over.wireBytes, framework: 0 },
    tokens: over.tokens,
    chain: over.chain,
  }
}

function roundParts(
  subject: Subject,
  tools: readonly ModelTool[],
  call: RoundParts['call'],
): RoundParts {
  const { task, args } = subject
  return { codec: deepseekCodec(MODEL), model: MODEL, tools, task, args, call }
}

async function inProcess(
  way: InProcess,
  { subject, calls }: ComparisonOptions,
  signal: AbortSignal,
): Promise<HereRan> {
  const parts = roundParts(subject, way.tools, (call) => way.call(call))
  const round = await oneRound(parts)
  const latencyMs = await medianMs(calls, () => way.call(round.call), signal)
  return { round, latencyMs, again: async () => (await oneRound(parts)).bodies[0] }
}

type OverMcp = Pick<Compared, 'chain' | 'definition' | 'frames' | 'python' | 'tokens'> & {
  readonly round: Round
  readonly pid: number
  readonly latencyMs: number
  readonly wireBytes: number
}

async function overMcp(
  way: McpWay,
  { subject, calls }: ComparisonOptions,
  signal: AbortSignal,
): Promise<OverMcp> {
  const { host, frames, pid, tool } = way
  if (tool === undefined || pid === undefined) throw notThere(way)
  const model = modelToolOf(tool)
  const before = frames.map(frameOf)
  const parts = roundParts(subject, [model], async (call) =>
    resultToText(await host.callTool(call.name, JSON.parse(call.argumentsText), ids(signal))),
  )
  const round = await oneRound(parts)
  const called = callFrames(frames)
  if (called === undefined) throw notThere(way)
  const call = [called.sent, called.answer].map(frameOf)
  const latencyMs = await medianMs(calls, () => way.call({ signal }), signal)
  const { parameters, description, name } = model
  const { tool: own } = subject.definition
  const alone = { name: own.name, description: own.description, parameters: own.inputSchema }
  const list = listAnswer(frames)
  return {
    round,
    pid,
    latencyMs,
    wireBytes: call.reduce((sum, { bytes }) => sum + bytes, 0),
    frames: { before, call },
    definition: {
      functionCalling: jsonBytes(alone),
      mcp: list === undefined ? 0 : frameOf(list).bytes,
      framework: jsonBytes(own.inputSchema),
    },
    tokens: {
      functionCalling: jsonTokens(alone),
      mcp: jsonTokens({ name, description, parameters }),
      framework: jsonTokens(alone),
    },
    python: await inPython(way, signal),
    chain: chainOf(way, model, round),
  }
}

/** Its schema is plain enough for every provider, so that it is sent as it is. */
function modelToolOf({ alias, description, inputSchema }: HostTool): ModelTool {
  return {
    name: alias,
    parameters: inputSchema,
    ...(description !== undefined && { description }),
  }
}

function ids(signal: AbortSignal): {
  readonly turn: string
  readonly call: string
  readonly signal: AbortSignal
} {
  return { turn: TURN, call: CALL, signal }
}

async function inPython(way: McpWay, signal: AbortSignal): Promise<Compared['python']> {
  const { python } = way
  if (python === undefined) return undefined
  return { ...python, text: resultToText(await way.callPython({ signal })) }
}

function notThere({ host, subject }: McpWay): Error {
  const status = host.servers().find(({ key }) => key === subject.name)
  return (
    status?.error ??
    new BugError(`The server of the comparison is ${status?.state}: ${status?.why}`)
  )
}
