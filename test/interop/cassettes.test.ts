/** Recorded traffic of model providers, read and written by the adapters. Where the recordings are not at hand it says so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CASSETTE_SEED, runCassettes } from '../support/cassettes.ts'
import { checkExchanges } from '../support/cassettes-check.ts'
import { differences } from '../support/cassettes-compare.ts'
import {
  recordedExchanges,
  recordingsFolder,
  recordingsIn,
  type RecordedExchange,
} from '../support/recorded-exchanges.ts'

const folder = recordingsFolder()
if (folder === undefined)
  console.log('No recordings stand beside the project: their tests are skipped.')

describe.skipIf(folder === undefined)('recorded exchanges', () => {
  it('are read as what stands in them, and their requests are written as they were accepted', () => {
    const run = runCassettes(folder ?? '')
    console.log(`Recorded exchanges, seed ${CASSETTE_SEED}: ${run.passed} of ${run.total}.`)
    expect([run.failures, run.notRead]).toEqual([[], []])
    expect(run.total).toBeGreaterThanOrEqual(247)
    expect(run.links).toBeGreaterThanOrEqual(36)
    expect([...run.notSpoken.keys()].toSorted()).toEqual(['GET /props', 'POST /v1/embeddings'])
    expect(run.untold).toHaveLength(5)
  }, 60_000)
})

describe('a file that is no recording', () => {
  const EXCHANGE =
    'when: { path: /v1/models, method: GET }\nthen: { status: 200, body: \'{"data":[{"id":"m"}]}\' }\n'

  it.each([
    ['a: 1\n', 'document 1 is no recorded exchange: it has no "when.path"'],
    ['text\n', 'document 1 is no recorded exchange: it has no "when.path"'],
    ['when: { path: /x }\n', 'document 1 is no recorded exchange: it has no "when.method"'],
    [
      `${EXCHANGE}---\nwhen: { path: /x, method: GET }\n`,
      'document 2 is no recorded exchange: it has no "then.status"',
    ],
    ['[\n', 'document 1 is no YAML: '],
    [
      EXCHANGE.replace('GET', 'GET, body: 3'),
      'document 1 is no recorded exchange: its "when.body" is no text',
    ],
    [
      EXCHANGE.replace('GET', 'GET, header: {}'),
      'document 1 is no recorded exchange: its "when.header" is no',
    ],
    ['', 'it is empty'],
  ])('is counted apart with its name and what it lacks: %j', (text, why) => {
    const own = mkdtempSync(join(tmpdir(), 'recordings-'))
    try {
      writeFileSync(join(own, 'good.yaml'), EXCHANGE)
      writeFileSync(join(own, 'odd.yaml'), text)
      const { passed, total, notRead, failures, files } = runCassettes(own)
      expect(notRead).toEqual([expect.stringContaining(`odd.yaml: ${why}`)])
      expect({ passed, total, failures, files }).toEqual({
        passed: 1,
        total: 1,
        failures: [],
        files: 2,
      })
      expect(notRead[0]).not.toMatch(/\n|Cannot read/)
      expect(runCassettes(join(own, 'odd.yaml')).notRead).toHaveLength(1)
    } finally {
      rmSync(own, { recursive: true })
    }
  })
})

/** A recording of two turns with reasoning and a call. */
function sample(): readonly RecordedExchange[] {
  const name = 'reasoning_tool_roundtrip/nonstreaming.yaml'
  return recordedExchanges(recordingsIn(folder ?? '').find((one) => one.endsWith(name)) ?? '')
}

/** What is found when the first answer is another one. */
function foundWith(first: Partial<RecordedExchange>): readonly string[] {
  const exchanges = sample().map((one, at) => (at === 0 ? { ...one, ...first } : one))
  return checkExchanges('deepseek', exchanges, CASSETTE_SEED).flatMap(({ problems }) => problems)
}

describe.skipIf(folder === undefined)('the comparison with recordings', () => {
  it.each([
    [
      'reasoning that was shortened',
      '"reasoning_content":"The user',
      '"reasoning_content":"A user',
    ],
    ['reasoning that was left out', '"reasoning_content"', '"forgotten"'],
    ['another id of a result', '"tool_call_id":"call_REDACTED_1"', '"tool_call_id":"call_2"'],
    ['another id of a call', '"id":"call_REDACTED_1"', '"id":"call_2"'],
    ['other arguments', String.raw`{\"city\":\"Tokyo\"}`, String.raw`{\"city\":\"Kyoto\"}`],
    ['another schema', '"type":"string"', '"type":"number"'],
    ['another role', '"role":"tool"', '"role":"user"'],
    ['a choice that was not made', '"thinking":', '"tool_choice":"auto","thinking":'],
    ['a stream that was not asked for', '"thinking":', '"stream":true,"thinking":'],
    ['thinking that was turned off', '"type":"enabled"', '"type":"disabled"'],
  ])('notices in a request %s', (_, from, to) => {
    const body = sample()[1]?.body ?? ''
    expect(differences(body, body, { argumentsAsValues: false })).toEqual([])
    expect(body).toContain(from)
    expect(differences(body.replace(from, to), body, { argumentsAsValues: true })).toHaveLength(1)
  })

  it('notices a reply that is not what the next request holds', () => {
    const reply = sample()[0]?.reply ?? ''
    expect(foundWith({ reply })).toEqual([])
    const other = foundWith({ reply: reply.replace('Let me check the', 'Let us check the') })
    expect(other).toEqual([expect.stringContaining('with the replies that were read')])
  })

  it('notices an error whose message was not found', () => {
    expect(foundWith({ status: 401, reply: '{"error":{"message":7}}' })).toHaveLength(1)
  })
})
