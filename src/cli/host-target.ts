/**
 * For commands that work on one server as well as on all of a configuration: which of the two a command line means. Options
 * that mean nothing for what was meant are mistakes, not silence.
 */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { HostCommandOptions, HostRun } from './host-session.ts'
import type { Invocation } from './invocation.ts'
import type { ServerOptions } from './server-options.ts'

export type { HostCommandOptions } from './host-session.ts'

export interface HostWish {
  /** The command as typed so far. */
  readonly typed: string
  /** Words stand there that look like the command of a server whose `--` is missing. */
  readonly isOther: boolean
  /** The server of the configuration that is meant. */
  readonly server?: string | undefined
  readonly given: ServerOptions &
    HostCommandOptions & { readonly check?: boolean; readonly schemas?: boolean }
}

/** The run over a configuration; nothing where a server is named by itself. Throws `UsageError`. */
export async function hostRunOf(
  invocation: Invocation,
  { typed, isOther, server, given }: HostWish,
): Promise<HostRun | undefined> {
  const words = await invocation.messages.host()
  const { faults } = words
  const isNamed = invocation.serverWords !== undefined || given.url !== undefined
  if (isNamed || (isOther && given.config === undefined)) {
    const stray = [
      ...(given.config === undefined ? [] : ['--config']),
      ...(given.yes === true ? ['--yes'] : []),
      ...(given.schemas === true ? ['--schemas'] : []),
    ]
    for (const option of isNamed ? stray : []) throw new UsageError(faults.onlyWithConfig(option))
    return undefined
  }
  for (const option of serverOptionsIn(given))
    throw new UsageError(faults.onlyWithServer(option, !UNSET.has(option)))
  if (given.config === undefined && !(await hasFiles(invocation))) {
    if (server !== undefined)
      throw new UsageError(faults.unknownServer(terminalText(server), [], []))
    const { noSeparator } = invocation.messages.faults
    throw new UsageError(noSeparator(typed, undefined) + faults.orConfigure)
  }
  return { invocation, words }
}

/** Options for which a configuration has no word: of its servers the era is found out, and every call is checked. */
const UNSET: ReadonlySet<string> = new Set(['--era', '--revision', '--no-check'])

/** Those of the options that a configuration says for each server itself. */
function serverOptionsIn(given: HostWish['given']): readonly string[] {
  const { era, revision, startTimeout, env, cwd, header, transport, check } = given
  const found: readonly (readonly [string, unknown])[] = [
    ['--era', era],
    ['--revision', revision],
    ['--start-timeout', startTimeout],
    ['--env', env],
    ['--cwd', cwd],
    ['-H', header],
    ['--transport', transport],
    ['--no-check', check === false ? true : undefined],
  ]
  return found.filter(([, value]) => value !== undefined).map(([option]) => option)
}

/** Whether there is any configuration to be found from here. */
async function hasFiles({ env }: Invocation): Promise<boolean> {
  const { loadConfig } = await import('../config/node/load.ts')
  const found = await loadConfig({ cwd: process.cwd(), env, askInput: async () => '' })
  return found.files.length > 0
}
