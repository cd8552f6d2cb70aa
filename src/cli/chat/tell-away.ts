/** Which servers a run of a model goes without, told on stderr before it begins; as JSON lines where that is wanted. */

import { terminalText } from '../../base/terminal-text.ts'
import { takesCalls } from '../../host/state.ts'
import type { AgentRoom } from '../agent-room.ts'
import { tellConfigProblems } from '../host-session.ts'
import { statusRecord, whyText } from '../status-lines.ts'

/** Servers that are missed: the model works without them, and whoever reads the answer should know. */
export async function tellAway({ run, host, config }: AgentRoom): Promise<void> {
  const { invocation, words } = run
  const { output, mask, json } = invocation
  for (const status of host.servers()) {
    if (takesCalls(status.state) || status.whyKind === 'switched-off') continue
    const { key, state } = status
    if (json) output.noteJson(mask.json({ notReady: statusRecord(status) }))
    else
      output.note(
        mask.text(
          words.notes.notReady(terminalText(key), words.states[state], whyText(status, words)),
        ),
      )
  }
  await tellConfigProblems(run, config)
}
