/** Every transport, in every revision, with everything that the protocol can do: one connection for each of the first two. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import type { Answers } from '../../../src/client/options.ts'
import { dialectFor } from '../../../src/protocol/dialects/index.ts'
import { TASKS_EXTENSION } from '../../../src/protocol/extensions/tasks.ts'
import { eraOf, REVISIONS } from '../../../src/protocol/revision.ts'
import type { LoggingMessage } from '../../../src/protocol/types/logging.ts'
import { judgedWire } from '../../support/judged-wire.ts'
import { FEATURES, type Stage } from './features.ts'
import { WAYS, type OpenWay } from './ways.ts'

const ANSWERS: Answers = {
  roots: [{ uri: 'file:///tmp', name: 'tmp' }],
  sampling: () =>
    Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'word' }, model: 'none' }),
  elicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ann', age: 40 } }),
  elicitationUrl: () => Promise.resolve({ action: 'accept' }),
}

const ROWS = WAYS.flatMap((way) =>
  REVISIONS.filter((revision) => way.eras.includes(eraOf(revision))).map(
    (revision) => [way.name, revision, way] as const,
  ),
)

describe.each(ROWS)('over %s at %s', (_name, revision, way) => {
  const wire = judgedWire()
  const logs: LoggingMessage[] = []
  let open: OpenWay | undefined
  let stage: Stage | undefined

  beforeAll(async () => {
    open = await way.open()
    const client = await connect(open.transport, {
      revisions: [revision],
      answers: ANSWERS,
      extensions: [TASKS_EXTENSION],
      wire: wire.sink,
      logLevel: 'warning',
      onLog: (message) => void logs.push(message),
    })
    stage = { client, dialect: dialectFor(revision), wire, logs }
  })

  afterAll(async () => {
    await stage?.client.close()
    await open?.close()
  })

  it.each(FEATURES.map((feature) => [feature.title, feature] as const))(
    '%s',
    async (_title, feature) => {
      expect(stage, 'a connection to try it on').toBeDefined()
      if (stage !== undefined) await feature.run(stage)
    },
  )

  it('no message of either side broke the schema of its revision', () => {
    expect([...wire.ours, ...wire.theirs]).toEqual([])
  })
})
