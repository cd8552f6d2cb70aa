/** Which servers a run of a model goes without, told on stderr before it begins; as JSON lines where that is wanted. */

import type { AgentRoom } from '../agent-room.ts'
import { tellConfigProblems } from '../host-session.ts'
import { isMissed, leftOutText } from '../servers-away.ts'
import { statusRecord } from '../status-lines.ts'

/** Servers that are missed: the model works without them, and whoever reads the answer should know. */
export async function tellAway({ run, host, config }: AgentRoom): Promise<void> {
  const { invocation, words } = run
  const { output, mask, json } = invocation
  for (const status of host.servers()) {
    if (!isMissed(status)) continue
    if (json) output.noteJson(mask.json({ notReady: statusRecord(status) }))
    else output.note(mask.text(leftOutText(status, words)))
  }
  await tellConfigProblems(run, config)
}
