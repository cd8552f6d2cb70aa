/**
 * The servers of a configuration as an open host: files read, questions put to whoever is there, the wire traced and recorded
 * when wanted, and every server surely ended afterwards.
 */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { Config } from '../config/config.ts'
import type { ServerEntry } from '../config/entry.ts'
import { stateFolder } from '../config/node/home.ts'
import { loadConfig } from '../config/node/load.ts'
import type { Consent } from '../host/consent.ts'
import type { Host } from '../host/host.ts'
import type { HostAnswers } from '../host/questions.ts'
import type { HostOptions } from '../host/host-options.ts'
import { joinSinks, type WireSink } from '../jsonrpc/wire.ts'
import { canAsk, inputsFromTerminal } from './ask-person.ts'
import { hideSecrets, tellProblems } from './commands/config-files.ts'
import type { TerminalConsentOptions } from './consent-terminal.ts'
import { requestTitle } from './consent-view.ts'
import type { Invocation } from './invocation.ts'
import type { HostWords } from './messages/host-words.ts'
import { noteSink } from './note-log.ts'
import { policyErrors, tellPolicyProblems } from './policy-problems.ts'
import type { ServerOptions } from './server-options.ts'
import { similarNames } from './similar.ts'
import { whenNarrower } from './terminal-width.ts'
import { startTrace } from './trace.ts'

/** A run of a command over the servers of a configuration, with its words. */
export interface HostRun {
  readonly invocation: Invocation
  readonly words: HostWords
}

/** The options that all of them have. */
export interface HostCommandOptions extends Pick<ServerOptions, 'trace' | 'capture' | 'existing'> {
  readonly config?: readonly string[]
  readonly yes?: boolean
}

/**
 * Reads the configuration; no secret of it is shown from here on. With `start`, a person is asked for the inputs that
 * servers need. What of its policy cannot be read is told, unless the command `checksPolicy` itself.
 */
export async function loadServers(
  { invocation, words }: HostRun,
  { config }: HostCommandOptions,
  { start, checksPolicy = false }: { readonly start: boolean; readonly checksPolicy?: boolean },
): Promise<Config> {
  const { env, signal } = invocation
  const askInput = start ? inputsFromTerminal(signal) : async () => ''
  const loaded = await loadConfig({
    cwd: process.cwd(),
    env,
    ...(config !== undefined && { files: config }),
    ...(askInput !== undefined && { askInput }),
  })
  hideSecrets(invocation, loaded.entries)
  if (!checksPolicy) tellPolicyProblems(invocation, words.policy, await policyErrors(loaded))
  return loaded
}

/**
 * Tells on stderr what is wrong with the configuration. Advice on how a server is started is for commands that start it: `starts`
 * is false for one that starts none.
 */
export async function tellConfigProblems(
  { invocation }: HostRun,
  { entries, problems }: Config,
  { starts = true }: { readonly starts?: boolean } = {},
): Promise<void> {
  const words = await invocation.messages.config()
  const started = entries.filter(({ approved, disabled }) => starts && approved && !disabled)
  const keys = new Set(started.map(({ key }) => key))
  const told = problems.filter(({ kind, server = '' }) => kind !== 'unpinned' || keys.has(server))
  tellProblems({ invocation, words }, told)
}

/** With these of its servers alone, and with what is wrong with them or with all. */
export function narrowed(config: Config, entries: Config['entries']): Config {
  if (entries === config.entries) return config
  const keys = new Set(entries.map(({ key }) => key))
  const problems = config.problems.filter(({ server }) => server === undefined || keys.has(server))
  return { ...config, entries, problems }
}

/** Tells that there is nothing to work on, and how to add something. */
export function tellNoServers(
  { invocation, words }: HostRun,
  { config = [] }: HostCommandOptions,
): void {
  invocation.output.note(words.notes.noServers(config.map(terminalText)))
}

/** The server of this name alone, or all of them. Throws `UsageError` for a name that there is not. */
export function serversNamed(run: HostRun, config: Config, name: string | undefined): Config {
  if (name === undefined) return config
  const entries = config.entries.filter(({ key }) => key === name)
  if (entries.length > 0) return narrowed(config, entries)
  const all = config.entries.map(({ key }) => key)
  const near = similarNames(name, all).map(terminalText)
  throw new UsageError(
    run.words.faults.unknownServer(terminalText(name), near, all.map(terminalText)),
  )
}

/** The same servers, each in its own right: none is needed for the others, and with `lazy` none waits for a call. */
export function unbound(config: Config, { lazy }: { readonly lazy: boolean }): Config {
  const entries = config.entries.map((entry): ServerEntry => {
    const start = lazy || entry.start !== 'lazy' ? 'optional' : 'lazy'
    return { ...entry, start }
  })
  return { ...config, entries }
}

/** Opens a host, hands it to `use`, and ends its servers and the recording whatever happened. */
export async function withHost(
  { invocation }: HostRun,
  start: { readonly config: Config; readonly options: HostCommandOptions } & {
    readonly host: HostOptions
  },
  use: (host: Host) => Promise<void>,
): Promise<void> {
  const { config, options, host: more } = start
  const { logger, env } = invocation
  const secrets = config.entries.flatMap((entry) => entry.secrets)
  const trace = await startTrace(invocation, options, secrets)
  try {
    const wire: WireSink | undefined = joinSinks(trace.sink, noteSink(logger))
    const [{ Host: HostDoor }, { policyOf }] = await Promise.all([
      import('../host/host.ts'),
      import('../host/config-policy.ts'),
    ])
    const host = await HostDoor.open(config, {
      home: stateFolder(env),
      logger,
      policy: policyOf(config).policy, // what is wrong with it was told when it was read
      ...(wire !== undefined && { wire }),
      answers: LOOKING,
      ...more,
    })
    try {
      await use(host)
    } finally {
      await host.close()
    }
  } finally {
    await trace.close()
  }
}

/**
 * Commands that call nothing declare what somebody at a terminal can answer, since servers have more tools for whoever can: they see,
 * and pin, what a chat has.
 */
const LOOKING: HostAnswers = {
  elicitation: () => Promise.resolve({ action: 'decline' }),
  elicitationUrl: () => Promise.resolve({ action: 'decline' }),
}

/** Waits until no server is being started any more, and shows on a terminal which ones are waited for. Then takes a turn. */
export async function settle({ invocation, words }: HostRun, host: Host): Promise<void> {
  const { output, signal } = invocation
  const show = (): void => {
    const starting = host.servers().filter(({ state }) => state === 'connecting')
    if (starting.length === 0) return output.progress()
    output.progress(words.notes.starting(starting.map(({ key }) => terminalText(key))))
  }
  show()
  const redraw = setInterval(show, REDRAW_MS)
  try {
    await host.settled({ signal })
    host.turn()
  } finally {
    clearInterval(redraw)
    output.progress()
  }
}

/** Time between two looks at which servers are waited for. */
const REDRAW_MS = 250

/** Who answers the questions of this run: `--yes`, the person at the terminal, who may interrupt, or nobody. */
export async function consentOf(
  { invocation, words }: HostRun,
  { yes }: HostCommandOptions,
  more: Pick<TerminalConsentOptions, 'onInterrupt' | 'isOneCall'> = {},
): Promise<Consent> {
  const { output, json } = invocation
  const { allowAll, unansweredBy } = await import('../host/consent.ts')
  if (yes === true) {
    const always = allowAll()
    return {
      ask(request, signal) {
        const { kind, server } = request
        const tool = request.kind === 'call' ? request.tool : undefined
        if (json) output.noteJson({ answered: { kind, server, tool, answer: 'once', by: 'flag' } })
        else output.note(words.notes.yesGiven(requestTitle(request, words.consent)))
        return always.ask(request, signal)
      },
    }
  }
  // The model is told why, and speaks the language of its tools.
  if (!canAsk()) return { ask: () => Promise.resolve(unansweredBy('no-terminal')) }
  const { terminalConsent, terminalPrompts } = await import('./consent-terminal.ts')
  const { stdin, stderr } = process
  return terminalConsent({
    words: words.consent,
    size: () => ({ rows: stderr.rows, columns: stderr.columns }),
    line: (text) => output.note(text),
    prompts: () => terminalPrompts({ input: stdin, output: stderr }),
    whenNarrower: (columns, hear) => whenNarrower(stderr, columns, hear),
    ...more,
  })
}
