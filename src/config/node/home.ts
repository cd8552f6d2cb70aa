/** Where this program keeps what it knows between runs. Makes nothing; who writes there makes the folder. */

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from '../expand.ts'

/** `$DEEP_PILOT_HOME`, or `.deep-pilot` in the user's home folder. Always absolute. */
export function stateFolder(env: Environment): string {
  const named = env['DEEP_PILOT_HOME']
  return named === undefined || named === '' ? join(userFolder(env), '.deep-pilot') : resolve(named)
}

/** The home folder of the user, as the environment has it. */
export function userFolder(env: Environment): string {
  const named = process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']
  return named === undefined || named === '' ? homedir() : resolve(named)
}
