/**
 * What the interop matrix concludes from what it saw, without any peer: which rows there are, when a step counts as wrong, and
 * what a reader is told. The peers themselves are met by `npm run interop`.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandOf, install } from '../../scripts/interop-install.ts'
import { PEERS, type Peer } from '../../scripts/interop-peers.ts'
import { jsonOf, remarksOf, summaryOf, tableOf } from '../../scripts/interop-report.ts'
import {
  canAsk,
  isAsExpected,
  settle,
  wantedOver,
  WAYS,
  type KnownFault,
  type Outcome,
  type Row,
  type RowPlan,
  type Step,
} from '../../scripts/interop-rows.ts'
import { REVISIONS } from '../../src/protocol/revision.ts'

const fault: KnownFault = {
  step: 'cancel',
  role: 'server',
  ways: ['http'],
  wanted: ['2026-07-28'],
  why: 'does not look at closed streams',
}
const plan: RowPlan = {
  peer: 'somebody',
  version: '1.2.3',
  role: 'server',
  way: 'http',
  wanted: '2026-07-28',
  spoken: true,
  faults: [fault],
}
const rowOf = (steps: readonly (readonly [Step, Outcome])[], more: Partial<Row> = {}): Row => ({
  ...plan,
  revision: '2026-07-28',
  steps: new Map(steps),
  ours: [],
  theirs: [],
  judged: 10,
  ms: 1,
  ...more,
})
const OK: Outcome = { kind: 'ok' }

describe('the rows of the matrix', () => {
  it('are what is found out alone and every revision that belongs to a transport', () => {
    expect(wantedOver('stdio')).toEqual(['auto', ...REVISIONS])
    expect(wantedOver('http')).toEqual(['auto', ...REVISIONS.slice(1)])
    expect(wantedOver('sse')).toEqual(REVISIONS.slice(0, 4))
  })

  it('have no forms before the revision that brought them', () => {
    expect(REVISIONS.filter(canAsk)).toEqual(REVISIONS.slice(2))
    expect(canAsk(undefined)).toBe(false)
  })
})

describe('a step', () => {
  it('is wrong when it fails and nothing is known of it', () => {
    expect(settle(plan, 'list', 'no tools')).toEqual({ kind: 'wrong', why: 'no tools' })
    expect(settle(plan, 'list', undefined)).toEqual(OK)
  })

  it('is known when the fault is, and tells why', () => {
    expect(settle(plan, 'cancel', 'no word')).toEqual({ kind: 'known', why: fault.why })
  })

  it('is wrong when a known fault is gone, so that the list stays true', () => {
    expect(settle(plan, 'cancel', undefined)).toMatchObject({ kind: 'wrong' })
  })

  it('may work or fail where a fault shows in some runs only', () => {
    const shy = { ...plan, faults: [{ ...fault, sometimes: true }] }
    expect(settle(shy, 'cancel', undefined)).toEqual(OK)
    expect(settle(shy, 'cancel', 'no word')).toEqual({ kind: 'known', why: fault.why })
  })

  it.each<Partial<RowPlan>>([{ way: 'stdio' }, { wanted: '2025-11-25' }, { role: 'client' }])(
    'is not excused by a fault of another row: %o',
    (other) => {
      expect(settle({ ...plan, ...other }, 'cancel', 'no word')).toMatchObject({ kind: 'wrong' })
    },
  )
})

describe('a row', () => {
  it('is as expected when nothing in it is wrong', () => {
    expect(isAsExpected(rowOf([['connect', OK]]))).toBe(true)
    expect(isAsExpected(rowOf([['cancel', { kind: 'known', why: 'so' }]]))).toBe(true)
    expect(isAsExpected(rowOf([['connect', { kind: 'wrong', why: 'so' }]]))).toBe(false)
  })

  it('is not as expected when a message of ours breaks the schema, and is when one of theirs does', () => {
    expect(isAsExpected(rowOf([['connect', OK]], { ours: ['Tool: bad'] }))).toBe(false)
    expect(isAsExpected(rowOf([['connect', OK]], { theirs: ['Tool: bad'] }))).toBe(true)
  })
})

describe('the report', () => {
  const silent = rowOf([], { spoken: false, revision: undefined, wanted: '2024-11-05' })
  const broken = rowOf(
    [
      ['connect', OK],
      ['call', { kind: 'wrong', why: 'gave nothing' }],
      ['cancel', { kind: 'known', why: fault.why }],
    ],
    { wanted: 'auto', theirs: ['Tool/name: must be string: {}', 'Tool/name: must be string: {1}'] },
  )

  it('has a line for each row under aligned columns', () => {
    const [head = '', first = '', second = ''] = tableOf([silent, broken]).split('\n')
    expect(first).toContain('2024-11-05')
    expect(first.indexOf('not spoken')).toBe(head.indexOf('connect'))
    expect(second).toContain('auto: 2026-07-28')
    expect(second.indexOf('NOT OK')).toBe(head.indexOf(' call ') + 1)
    expect(second.indexOf('known')).toBe(head.indexOf('cancel'))
  })

  it('says what is wrong with its place, what is known, and each kind of fault of theirs once', () => {
    expect(remarksOf([silent, broken]).split('\n')).toEqual([
      'NOT OK  somebody as server, Streamable HTTP, auto: call: gave nothing',
      `known   somebody: cancel: ${fault.why} (1)`,
      'theirs  somebody: Tool/name: must be string (2)',
    ])
  })

  it('counts, for people and for programs', () => {
    const words = '2 rows, 1 of them not spoken; 1 steps ok, 1 known faults of peers, 1 not ok; '
    expect(summaryOf([silent, broken], ['x: no'])).toBe(
      `${words}20 messages judged, 0 faults in ours, 2 in theirs; 1 peers left out`,
    )
    expect(JSON.parse(jsonOf([silent, broken], ['x: no']))).toMatchObject({
      left: ['x: no'],
      asExpected: false,
      rows: [{ spoken: false }, { steps: { call: { kind: 'wrong', why: 'gave nothing' } } }],
    })
  })
})

describe('the peers', () => {
  const peerNamed = (name: string): Peer => {
    const peer = PEERS.find((one) => one.name === name)
    if (peer === undefined) throw new Error(`There is no ${name}.`)
    return peer
  }

  it('are the versions that are installed or built', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>> // npm's own file
    }
    expect(peerNamed('typescript-sdk v1').version).toBe(
      devDependencies['@modelcontextprotocol/sdk'],
    )
    expect(peerNamed('typescript-sdk v2').version).toBe(
      devDependencies['@modelcontextprotocol/client'],
    )
    const sources = readFileSync('test/interop/peers/go/go.mod', 'utf8')
    expect(sources).toContain(`go-sdk v${peerNamed('go-sdk').version}\n`)
    const cargo = readFileSync('test/interop/peers/rust/Cargo.toml', 'utf8')
    expect(cargo).toContain(`rmcp = { version = "=${peerNamed('rmcp').version}"`)
    const python = PEERS.flatMap(({ source, version }) =>
      source.kind === 'python' ? [{ spec: source.packages[0], version }] : [],
    )
    expect(python.map(({ spec }) => spec?.split('==')[1])).toEqual(
      python.map(({ version }) => version),
    )
  })

  it('have names of their own, and a transport for each role that they have', () => {
    expect(new Set(PEERS.map(({ name }) => name)).size).toBe(PEERS.length)
    for (const { server, client } of PEERS) {
      const ways = WAYS.filter((way) => server?.ways[way] ?? client?.ways[way])
      expect(ways).not.toEqual([])
    }
  })

  it('are run by this Node, or by what stands in their own folder', () => {
    const sdk = peerNamed('typescript-sdk v1')
    expect(commandOf(sdk, '/there', ['node', 'a.mjs', 'b'])).toEqual([
      process.execPath,
      'a.mjs',
      'b',
    ])
    expect(commandOf(peerNamed('go-sdk'), '/there', ['peer', 'server'])[0]).toMatch(/^.there.peer$/)
    expect(install(sdk)).toMatchObject({ folder: expect.stringContaining('peers') })
  })
})
