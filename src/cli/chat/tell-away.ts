/** Which servers a run of a model goes without, told on stderr before it begins; as JSON lines where that is wanted. */

import type { ServerStatus } from '../../host/state.ts'
import type { AgentRoom } from '../agent-room.ts'
import { tellConfigProblems } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import { isMissed, leftOutText } from '../servers-away.ts'
import { statusRecord } from '../status-lines.ts'
import type { AgentView } from './agent-view.ts'

/** Tells of a server that was lost or is back while the model works, as it happens. */
export function tellServer(
  { output, json, mask }: Invocation,
  view: Pick<AgentView, 'news'>,
): (text: string, status: ServerStatus) => void {
  return (text, status) => {
    if (json) output.noteJson(mask.json({ server: statusRecord(status) }))
    else view.news(text)
  }
}

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
