/**
 * Runs a tool as the modern era does: from its start once for every round of questions. What a tool does before an
 * `ask` then happens again in each round, and this finds it, without any wire.
 */

import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { NEWEST_MODERN } from '../protocol/dialects/index.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { AnswerTo, Question, ToolContext } from '../tools/context.ts'
import { ToolError, toResult, type ToolDefinition } from '../tools/define.ts'

/** What the client will answer, by the key that the tool gives its question. */
export interface TestAnswers {
  readonly [key: string]: AnswerTo<Question>
}

export interface RunTwiceOptions {
  /** How many effects the tool has had so far: rows written, mails sent, calls of a stub. Only ever grows. */
  readonly effects: () => number
  /** Aborts the runs. Default: never. */
  readonly signal?: AbortSignal
  /** Most runs before the tool counts as asking in circles. Default 11: a first one and 10 rounds of questions. */
  readonly maxRuns?: number
}

export interface RanTwice {
  /** What the last run gave; a `ToolError` is a result with `isError`. */
  readonly result: CallToolResult
  /** The keys asked in each run but the last, in order. As many runs as entries, and one. */
  readonly asked: readonly (readonly string[])[]
}

/**
 * Runs the tool until it asks nothing new; `args` are handed to it unchecked. Throws a `UsageError` when a run that ended
 * with a question had an effect, when a question has no answer, and when the questions never end. What else the tool throws
 * comes through.
 */
export async function runTwice(
  tool: ToolDefinition,
  args: JsonObject,
  answers: TestAnswers,
  options: RunTwiceOptions,
): Promise<RanTwice> {
  const { name } = tool.tool
  const given = new Map<string, AnswerTo<Question>>()
  const asked: string[][] = []
  const maxRuns = options.maxRuns ?? 11
  const before = options.effects()
  for (let run = 1; run <= maxRuns; run += 1) {
    const ended = await runOnce(tool, args, { given, signal: options.signal ?? NEVER })
    if (ended.result !== undefined) return { result: ended.result, asked }
    refuseEffects(name, { run, count: options.effects() - before, keys: ended.keys })
    for (const key of ended.keys) {
      if (!Object.hasOwn(answers, key)) throw noAnswer(name, key)
      // hasOwn, one line above.
      given.set(key, answers[key] as AnswerTo<Question>)
    }
    asked.push([...ended.keys])
  }
  throw new UsageError(
    `The tool ${name} asked something new in each of ${maxRuns} runs. A question must have the same key on every run.`,
  )
}

const NEVER: AbortSignal = new AbortController().signal

interface Ended {
  readonly keys: readonly string[]
  /** Undefined when a question ended the run. */
  readonly result: CallToolResult | undefined
}

interface OneRun {
  readonly given: ReadonlyMap<string, AnswerTo<Question>>
  readonly signal: AbortSignal
}

/** One run: to its end, or to the first questions without an answer. */
async function runOnce(tool: ToolDefinition, args: JsonObject, run: OneRun): Promise<Ended> {
  const keys = new Set<string>()
  let suspend = (): void => {}
  const suspended = new Promise<void>((resolve) => (suspend = resolve))
  const context: ToolContext = {
    signal: run.signal,
    client: CLIENT,
    auth: undefined,
    trace: undefined,
    meta: {},
    progress: () => undefined,
    log: () => undefined,
    closeStream: () => false,
    becomeTask: () => false,
    ask: <Q extends Question>(key: string) => {
      const answer = run.given.get(key)
      // The test gave this answer to the question of this key.
      if (answer !== undefined) return Promise.resolve(answer as AnswerTo<Q>)
      // Questions asked in the same breath travel together, as over a wire.
      if (keys.size === 0) queueMicrotask(suspend)
      keys.add(key)
      return new Promise<AnswerTo<Q>>(() => {})
    },
  }
  const finished = finish(tool, args, context)
  finished.catch(() => undefined) // what a suspended run throws is void
  const result = await Promise.race([finished, suspended])
  if (keys.size === 0) return { keys: [], result: result ?? undefined }
  // What the run does beside its question, without waiting for anything else, belongs to this run.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  return { keys: [...keys], result: undefined }
}

async function finish(
  tool: ToolDefinition,
  args: JsonObject,
  context: ToolContext,
): Promise<CallToolResult> {
  try {
    return toResult(await tool.run(args, context), tool.output !== undefined)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

/** A client that can be asked everything. */
const CLIENT: ToolContext['client'] = {
  revision: NEWEST_MODERN.revision,
  era: 'modern',
  info: { name: 'test', version: '1' },
  capabilities: { roots: {}, sampling: { tools: {} }, elicitation: { form: {}, url: {} } },
}

function refuseEffects(
  name: string,
  { run, count, keys }: { run: number; count: number; keys: readonly string[] },
): void {
  if (count === 0) return
  const waited = keys.map((key) => JSON.stringify(key)).join(', ')
  throw new UsageError(
    `The tool ${name} had ${count === 1 ? 'an effect' : `${count} effects`} in run ${run}, which ended with the question ${waited}. ` +
      'In the modern era the tool runs again from its start when the answer is there, so that this happens again: move it behind the last ask.',
  )
}

function noAnswer(name: string, key: string): UsageError {
  return new UsageError(
    `The tool ${name} asked ${JSON.stringify(key)}, and the test has no answer to that. Add one under this key.`,
  )
}
