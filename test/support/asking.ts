/** A server with one tool that asks one question, and a client that answers as a test tells it. */

import { createLogger, type LogRecord } from '../../src/base/log.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import type { CallToolResult } from '../../src/protocol/types/tools.ts'
import type { Question } from '../../src/tools/context.ts'
import { defineTool } from '../../src/tools/define.ts'
import { ofMethod, pairUp, type Pair } from './pair.ts'

export interface Asked extends Pair {
  /** What the server's log has of it. */
  readonly records: readonly LogRecord[]
  /** What the tool's call gives. */
  call(): Promise<CallToolResult>
}

/** A server whose tool asks this, and a client that answers as it is told. */
export async function asking(
  revision: Revision,
  question: Question,
  options: ClientOptions = {},
): Promise<Asked> {
  const records: LogRecord[] = []
  const tool = defineTool({
    name: 'ask',
    run: async (_args, ctx) => ({ answer: JSON.stringify(await ctx.ask('it', question)) }),
  })
  const logger = createLogger((record) => void records.push(record))
  const pair = await pairUp(revision, { tools: [tool], logger }, options)
  return { ...pair, records, call: () => pair.client.callTool('ask') }
}

/** The questions that reached the client, in either form. */
export function putIn(pair: Pair, method: string): readonly unknown[] {
  const requests = ofMethod(pair, method).map(({ params }) => params)
  const inside = pair.crossed.flatMap(({ message }) =>
    Object.values((message.result?.['inputRequests'] ?? {}) as Record<string, JsonObject>),
  )
  return [
    ...requests,
    ...inside.filter((one) => one['method'] === method).map(({ params }) => params),
  ]
}
