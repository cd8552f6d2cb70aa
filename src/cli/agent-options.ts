/** The options of the commands in which a model calls tools: which model, how much of it, and what is kept. */

import { Option, type Command } from 'commander'
import type { Budget } from '../agent/budget.ts'
import type { Effort, ModelRequest } from '../agent/model.ts'
import { PROVIDER_NAMES, providerOf } from '../agent/provider-table.ts'
import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { EFFORTS } from './agent-kept.ts'
import type { HostCommandOptions, HostRun } from './host-session.ts'
import type { AgentWords } from './messages/agent-words.ts'
import { readPlainText } from './plain-text.ts'
import { addCaptureOptions } from './server-options.ts'

/** A run of `chat` or `run`, with its words. */
export interface AgentRun extends HostRun {
  readonly own: AgentWords
}

const DISCOVERY = ['auto', 'on', 'off'] as const

/** What the options come to. */
export interface AgentCommandOptions extends HostCommandOptions {
  readonly model?: string
  readonly baseUrl?: string
  readonly insecureHttp?: boolean
  readonly context?: number
  readonly system?: string
  readonly effort?: Effort
  readonly maxOutput?: number
  readonly stream?: boolean
  readonly budgetTurns?: number
  readonly budgetCalls?: number
  readonly budgetTokens?: number
  readonly budgetUsd?: number
  readonly budgetTime?: number
  readonly discovery?: (typeof DISCOVERY)[number]
  readonly strict?: boolean
  readonly markResults?: boolean
  readonly save?: boolean
  /** With `--json`: the pieces of replies as well. */
  readonly deltas?: boolean
}

/** Those that need no address with them. */
const NAMED_PROVIDERS: readonly string[] = PROVIDER_NAMES.filter(
  (name) => providerOf(name)?.baseUrl !== undefined,
)

/** Largest text of `--system`. */
const MAX_SYSTEM_BYTES = 256 * 1024

export function addAgentOptions(command: Command, { invocation, own, words }: AgentRun): Command {
  const { messages } = invocation
  const { options } = own
  const number = (flags: string, description: string, whole: boolean): Option =>
    new Option(flags, description).argParser((value) =>
      numberOf(flags.split(' ')[0] ?? flags, value, { own, whole }),
    )
  const choice = (flag: string, choices: readonly string[], description: string): Option =>
    new Option(`${flag} <${choices.join('|')}>`, description).argParser((value) => {
      if (choices.includes(value)) return value
      throw new UsageError(messages.faults.badChoice(flag, terminalText(value), choices))
    })
  command
    .option('--model <MODEL>', options.model(NAMED_PROVIDERS))
    .option('--base-url <URL>', options.baseUrl)
    .option('--insecure-http', options.insecureHttp)
    .addOption(number('--context <TOKENS>', options.context, true))
    .option('--system <FILE>', options.system)
    .addOption(choice('--effort', EFFORTS, options.effort))
    .addOption(number('--max-output <TOKENS>', options.maxOutput, true))
    .option('--no-stream', options.noStream)
    .addOption(number('--budget-turns <N>', options.budgetTurns, true))
    .addOption(number('--budget-calls <N>', options.budgetCalls, true))
    .addOption(number('--budget-tokens <N>', options.budgetTokens, true))
    .addOption(number('--budget-usd <USD>', options.budgetUsd, false))
    .addOption(number('--budget-time <SECONDS>', options.budgetTime, false))
    .addOption(choice('--discovery', DISCOVERY, options.discovery))
    .option('--strict', options.strict)
    .option('--mark-results', options.markResults)
    .option('--yes', words.options.yes)
    .option('--no-save', options.noSave)
    .option('--deltas', options.deltas)
    .option('--trace', messages.options.trace)
  return addCaptureOptions(command, messages)
}

/** Throws a `UsageError` for an option that is of use with `--json` alone, where that is not given. */
export function checkDeltas({ invocation, own }: AgentRun, { deltas }: AgentCommandOptions): void {
  if (deltas === true && !invocation.json) throw new UsageError(own.faults.onlyJson('--deltas'))
}

/** The limits that hold for one message. */
export function budgetOf(options: AgentCommandOptions): Budget {
  const { budgetTurns, budgetCalls, budgetTokens, budgetUsd, budgetTime } = options
  return {
    ...(budgetTurns !== undefined && { turns: budgetTurns }),
    ...(budgetCalls !== undefined && { calls: budgetCalls }),
    ...(budgetTokens !== undefined && { tokens: budgetTokens }),
    ...(budgetUsd !== undefined && { usd: budgetUsd }),
    ...(budgetTime !== undefined && { ms: budgetTime * 1000 }),
  }
}

/** What every request of the run has. */
export function requestOf({
  effort,
  maxOutput,
  stream,
}: AgentCommandOptions): Pick<ModelRequest, 'effort' | 'maxOutputTokens' | 'stream'> {
  return {
    ...(effort !== undefined && { effort }),
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    ...(stream === false && { stream }),
  }
}

/** What the model is told first: our own words, and those of `--system` behind them. */
export async function systemOf(
  { invocation }: AgentRun,
  { system: path }: AgentCommandOptions,
): Promise<string> {
  const { SYSTEM_TEXT } = await import('../agent/system-text.ts')
  if (path === undefined) return SYSTEM_TEXT
  const text = (await readPlainText(path, MAX_SYSTEM_BYTES, invocation.messages.faults)).trim()
  return `${SYSTEM_TEXT}\n\n${text}`
}

function numberOf(
  option: string,
  value: string,
  { own, whole }: { readonly own: AgentWords; readonly whole: boolean },
): number {
  const isWritten = whole ? /^\d{1,12}$/.test(value) : /^\d{1,9}(?:\.\d{1,6})?$/.test(value)
  const number = isWritten ? Number(value) : 0
  if (number > 0) return number
  const say = whole ? own.faults.badWhole : own.faults.badNumber
  throw new UsageError(say(option, terminalText(value.slice(0, 100))))
}
