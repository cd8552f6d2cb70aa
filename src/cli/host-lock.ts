/** The lock file of a configuration: as it is, and as a copy for runs that only look, which must not write down what they see. */

import type { Config } from '../config/config.ts'
import { stateFolder } from '../config/node/home.ts'
import { openLockOf } from '../host/config-policy.ts'
import { LockFile } from '../host/lock-file.ts'
import type { Invocation } from './invocation.ts'

export interface LookedAtLock {
  /** The file itself. */
  readonly file: LockFile
  /** A copy in memory, which a host may write to. */
  readonly lock: LockFile
}

/** Rejects with `ConfigError` when the file is no lock file. */
export async function lookedAtLock(
  { env }: Pick<Invocation, 'env'>,
  config: Config,
): Promise<LookedAtLock> {
  const file = await openLockOf(config, stateFolder(env))
  const lock = LockFile.inMemory()
  for (const [key, record] of file.servers) lock.set(key, record)
  return { file, lock }
}
