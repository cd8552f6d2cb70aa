/** Which servers of a host give no tools for the moment, and the line that says so. What is wrong with others is told by `list`. */

import { terminalText } from '../base/terminal-text.ts'
import { takesCalls, type ServerStatus } from '../host/state.ts'
import type { HostWords } from './messages/host-words.ts'
import { stateText, whyText } from './status-lines.ts'

/** Whether its tools are not known here: it takes no calls, or its list could not be read. Ask when servers are settled. */
export function isLeftOut(status: ServerStatus): boolean {
  return !takesCalls(status.state) || isUnread(status)
}

/** The same for one that somebody may miss: what is switched off is missed by nobody. */
export function isMissed(status: ServerStatus): boolean {
  return isLeftOut(status) && status.whyKind !== 'switched-off'
}

/** Whether it takes calls, and nobody knows of which tools. */
export function isUnread({ state, tools }: ServerStatus): boolean {
  return takesCalls(state) && tools === undefined
}

/** `NAME is left out (STATE): WHY`. Safe for a terminal; secrets in it are not hidden. */
export function leftOutText(status: ServerStatus, words: HostWords): string {
  const { key } = status
  return words.notes.notReady(terminalText(key), stateText(status, words), whyText(status, words))
}
