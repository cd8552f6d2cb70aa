/** What a configuration says about the host as a whole: its policy, and where what it pins is written down. */

import { dirname, join } from 'node:path'
import type { Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import { readPolicy, readProjectPolicy, type ReadPolicy } from '../policy/read.ts'
import { LOCK_FILE_NAME, LockFile } from './lock-file.ts'

/** The policy that a host of this configuration has: that of its owner, made stricter by that of the project. */
export function policyOf(config: Pick<Config, 'policy' | 'projectPolicy'>): ReadPolicy {
  const { policy: own, projectPolicy: project } = config
  const read = own === undefined ? NO_POLICY : readPolicy(own.value, own)
  if (project === undefined) return read
  const tight = readProjectPolicy(read.policy, project.value, project)
  return { policy: tight.policy, problems: [...read.problems, ...tight.problems] }
}

/** The same for a host that was given no policy: what is wrong with it is a warning in the log. */
export function loggedPolicyOf(
  config: Pick<Config, 'policy' | 'projectPolicy'>,
  logger: Logger,
): Policy {
  const { policy, problems } = policyOf(config)
  for (const { severity, message } of problems)
    logger.warn(severity === 'error' ? 'the policy is broken' : 'the policy is odd', { message })
  return policy
}

const NO_POLICY: ReadPolicy = { policy: DEFAULT_POLICY, problems: [] }

/**
 * Where the lock file of a configuration is: beside the first of its files that is not the user's own, else in the state
 * folder. Undefined for a configuration of code without a state folder.
 */
export function lockPathOf(
  config: Pick<Config, 'files'>,
  home: string | undefined,
): string | undefined {
  const beside = config.files.find(({ scope }) => scope !== 'user')
  const folder = beside === undefined ? home : dirname(beside.path)
  return folder === undefined ? undefined : join(folder, LOCK_FILE_NAME)
}

/**
 * The lock file of a configuration. What the user's own file names is kept in the state folder whatever project they are in: a
 * folder that comes with a lock file, or with none, would otherwise approve it anew.
 */
export async function openLockOf(
  config: Pick<Config, 'files' | 'entries'>,
  home: string | undefined,
): Promise<LockFile> {
  const path = lockPathOf(config, home)
  if (path === undefined) return LockFile.inMemory()
  const own = home === undefined ? path : join(home, LOCK_FILE_NAME)
  if (own === path) return LockFile.open(path)
  const beside = new Set(
    config.entries.filter(({ scope }) => scope !== 'user').map(({ key }) => key),
  )
  return LockFile.open(path, { path: own, has: (key) => !beside.has(key) })
}
