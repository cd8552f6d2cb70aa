/** What becomes of servers while a model works with them: that one was lost, and that it is back. Each is told once. */

import { terminalText } from '../base/terminal-text.ts'
import { takesCalls, type ServerStatus } from '../host/state.ts'
import type { HostWords } from './messages/host-words.ts'
import { stateText, whyText } from './status-lines.ts'

/** For `onStatus` of a host. A server that never came is told of where the list of servers is; this is about those that were there. */
export function serverNews(
  words: HostWords,
  tell: (text: string, status: ServerStatus) => void,
): (status: ServerStatus) => void {
  const was = new Map<string, 'there' | 'lost'>()
  return (status) => {
    const { key, state } = status
    const before = was.get(key)
    if (takesCalls(state)) {
      was.set(key, 'there')
      if (before === 'lost') tell(words.notes.back(terminalText(key)), status)
      return
    }
    // One that is started anew says so when it is there again.
    if (before !== 'there' || state === 'disabled' || state === 'idle' || state === 'connecting')
      return
    was.set(key, 'lost')
    tell(
      words.notes.lost(terminalText(key), stateText(status, words), whyText(status, words)),
      status,
    )
  }
}
