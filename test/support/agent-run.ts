/** Runs of the agent to their ends, and what they told on the way. */
import type { AgentEnd, AgentEvent } from '../../src/agent/events.ts'
import type { AgentOptions } from '../../src/agent/loop-options.ts'
import { runAgent } from '../../src/agent/loop.ts'

export interface AgentRun {
  readonly events: readonly AgentEvent[]
  readonly end: AgentEnd
}

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>

/** Runs until the end; `onEvent` hears each event before the run goes on. */
export async function runToEnd(
  options: AgentOptions,
  onEvent: (event: AgentEvent) => void = () => undefined,
): Promise<AgentRun> {
  const events: AgentEvent[] = []
  const run = runAgent(options)
  for (;;) {
    const next = await run.next()
    if (next.done === true) return { events, end: next.value }
    events.push(next.value)
    onEvent(next.value)
  }
}

/** The events of one type, in order. */
export function eventsOf<Type extends AgentEvent['type']>(
  { events }: AgentRun,
  type: Type,
): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

/** What the deltas of a kind say together; what a restart made void is left out. */
export function streamed(run: AgentRun, kind: 'text' | 'reasoning'): string {
  let text = ''
  for (const { delta } of eventsOf(run, 'delta')) {
    if (delta.kind === 'restart') text = ''
    else if (delta.kind === kind) text += delta.text
  }
  return text
}
