import { describe, expect, it } from 'vitest'
import { AuthError, HttpError, ProtocolError, RpcError, TransportError } from '../base/errors.ts'
import { JsonText, type JsonObject } from '../base/json.ts'
import type { ClientIdentity, Opening } from './dialect.ts'
import { negotiate, type EraWish } from './negotiate.ts'

const MODERN = '2026-07-28'
const self: ClientIdentity = { info: { name: 'c', version: '1' }, capabilities: {} }
const auto: EraWish = { era: 'auto', probeMs: 1000 }
const discovery = (...supportedVersions: string[]): JsonObject => ({
  resultType: 'complete',
  supportedVersions,
  capabilities: { tools: {} },
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
})
const welcome = (protocolVersion: string): JsonObject => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
})
const no = (code: number, data?: unknown): RpcError => new RpcError(code, 'no', { data })

type Answer = JsonObject | Error | 'never'

/** A server as a list of answers, and a clock that is wound by hand. */
class Scene {
  readonly said: string[] = []
  readonly offers: unknown[] = []
  readonly notes: JsonObject[] = []
  readonly waits: { ms: number; end: () => void }[] = []
  readonly pending: ((answer: Answer) => void)[] = []
  #onWait: (() => void) | undefined

  readonly answers: Record<string, Answer[]>

  constructor(answers: Record<string, Answer[]>) {
    this.answers = answers
  }

  /** Resolves when somebody waits for the n-th time. */
  async waiting(times: number): Promise<void> {
    while (this.waits.length < times) {
      await new Promise<void>((resolve) => {
        this.#onWait = resolve
      })
    }
  }

  get opening(): Opening {
    return {
      ask: (method, params) => this.#ask(method, params),
      tell: (method) => void this.said.push(method),
      wait: (ms) =>
        new Promise((end) => {
          this.waits.push({ ms, end })
          this.#onWait?.()
        }),
      note: (_, data) => void this.notes.push(data),
    }
  }

  #ask(method: string, params?: JsonObject | JsonText): Promise<JsonObject> {
    this.said.push(method)
    const sent: JsonObject = params instanceof JsonText ? JSON.parse(params.text) : (params ?? {})
    if (method === 'initialize') this.offers.push(sent['protocolVersion'])
    return new Promise((resolve, reject) => {
      const settle = (answer: Answer): void => {
        if (answer === 'never') this.pending.push(settle)
        else if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
      settle(this.answers[method]?.shift() ?? 'never')
    })
  }
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was agreed')
}

describe('era auto', () => {
  it('asks a modern server what it is, and nothing else [VERS-09]', async () => {
    const scene = new Scene({ 'server/discover': [discovery(MODERN)] })
    const { dialect, server } = await negotiate(scene.opening, self, auto)
    expect(scene.said).toEqual(['server/discover'])
    expect(dialect.revision).toBe(MODERN)
    expect(server).toMatchObject({
      era: 'modern',
      info: { name: 's' },
      capabilities: { tools: {} },
    })
  })

  it.each([-32601, -32602, -32000, -32603])(
    'shakes hands after error %i [VERS-10, VERS-11]',
    async (code) => {
      const scene = new Scene({
        'server/discover': [no(code)],
        initialize: [welcome('2025-11-25')],
      })
      const { dialect, server } = await negotiate(scene.opening, self, auto)
      expect(scene.said).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
      expect(scene.offers).toEqual(['2025-11-25'])
      expect([dialect.revision, server.era]).toEqual(['2025-11-25', 'legacy'])
    },
  )

  it.each([400, 404, 405])('shakes hands after a refusal with %i [VERS-16]', async (status) => {
    const refusal = new HttpError('DP_TRANSPORT_HTTP', 'no', { status })
    const scene = new Scene({
      'server/discover': [refusal],
      initialize: [welcome('2025-11-25')],
    })
    expect((await negotiate(scene.opening, self, auto)).server.era).toBe('legacy')
  })

  it('reads what a refusal says before it takes it for that of an old server [VERS-15]', async () => {
    const cause = no(-32022, { supported: ['2099-01-01'] })
    for (const refusal of [
      new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 400, cause }),
      new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 400, cause: new Error('why', { cause }) }),
      new ProtocolError('DP_PROTOCOL_MESSAGE', 'no', { cause }),
    ]) {
      const scene = new Scene({ 'server/discover': [refusal] })
      const error = await negotiate(scene.opening, self, auto).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
      expect(scene.said).toEqual(['server/discover'])
    }
  })

  it.each([500, 502, 503, 504])(
    'does not take a server that fails with %i for an old one',
    async (status) => {
      const failing = new HttpError('DP_TRANSPORT_HTTP', 'no', { status })
      const scene = new Scene({ 'server/discover': [failing] })
      expect(await failure(negotiate(scene.opening, self, auto))).toBe(failing)
      expect(scene.said).toEqual(['server/discover'])
    },
  )

  it.each([301, 307, 200])(
    'does not take %i without an answer for an old server',
    async (status) => {
      const odd = new HttpError('DP_TRANSPORT_HTTP', 'no', { status })
      const scene = new Scene({ 'server/discover': [odd] })
      expect(await failure(negotiate(scene.opening, self, auto))).toBe(odd)
    },
  )

  it('does not take a server that wants to know who asks for an old one [VERS-23]', async () => {
    for (const status of [401, 403]) {
      const refused = new AuthError('who asks?', { status })
      const scene = new Scene({ 'server/discover': [refused] })
      expect(await failure(negotiate(scene.opening, self, auto))).toBe(refused)
      expect(scene.said).toEqual(['server/discover'])
    }
  })

  it('notes the status of a refusal, and does not wait for its time [VERS-16]', async () => {
    const refusal = new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 404, body: '<html>' })
    const scene = new Scene({
      'server/discover': [refusal],
      initialize: [welcome('2025-06-18')],
    })
    await negotiate(scene.opening, self, auto)
    expect(scene.notes).toEqual([{ outcome: 'refused', status: 404 }])
    expect(scene.said).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
  })

  it('stays modern when the body of a 400 names a version in common [VERS-15, VERS-16]', async () => {
    const cause = no(-32022, { supported: [MODERN] })
    const scene = new Scene({
      'server/discover': [
        new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 400, cause }),
        discovery(MODERN),
      ],
    })
    expect((await negotiate(scene.opening, self, auto)).dialect.revision).toBe(MODERN)
    expect(scene.said).not.toContain('initialize')
  })

  it('gives what refused the handshake too, so that another way can be tried [VERS-17]', async () => {
    const first = new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 405 })
    const second = new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 405 })
    const scene = new Scene({ 'server/discover': [first], initialize: [second] })
    expect(await failure(negotiate(scene.opening, self, auto))).toBe(second)
  })

  it('tells that a server refused what a modern one knows, where there may be no handshake', async () => {
    const refusal = new HttpError('DP_TRANSPORT_HTTP', 'no', { status: 404 })
    const scene = new Scene({ 'server/discover': [refusal] })
    expect(
      await failure(negotiate(scene.opening, self, { era: 'modern', probeMs: 1 })),
    ).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
    expect(scene.said).toEqual(['server/discover'])
  })

  it('goes on with the older revision that the server names [VERS-02, LIFE-04]', async () => {
    const scene = new Scene({
      'server/discover': [no(-32601)],
      initialize: [welcome('2024-11-05')],
    })
    const { dialect } = await negotiate(scene.opening, self, auto)
    expect(dialect.revision).toBe('2024-11-05')
    expect(scene.said.filter((what) => what === 'notifications/initialized')).toHaveLength(1)
  })

  it('shakes hands when the probe stays unanswered past its time [VERS-26]', async () => {
    const scene = new Scene({ 'server/discover': ['never'], initialize: [welcome('2025-06-18')] })
    const agreed = negotiate(scene.opening, self, { ...auto, probeMs: 321 })
    expect(scene.waits.map(({ ms }) => ms)).toEqual([321])
    scene.waits[0]?.end()
    expect((await agreed).dialect.revision).toBe('2025-06-18')
    expect(scene.notes).toEqual([{ outcome: 'silence' }])
  })

  it('ignores a probe that is answered after the handshake went well [VERS-26]', async () => {
    const scene = new Scene({ 'server/discover': ['never'], initialize: [welcome('2025-06-18')] })
    const agreed = negotiate(scene.opening, self, auto)
    scene.waits[0]?.end()
    await agreed
    scene.pending[0]?.(new TransportError('DP_TRANSPORT_CLOSED', 'gone')) // must not become an unhandled rejection
    expect((await agreed).dialect.era).toBe('legacy')
  })

  it('takes a late answer to the probe when the handshake fails [VERS-19, VERS-26]', async () => {
    const scene = new Scene({ 'server/discover': ['never'], initialize: [no(-32601)] })
    const agreed = negotiate(scene.opening, self, auto)
    scene.waits[0]?.end()
    await scene.waiting(2)
    scene.pending[0]?.(discovery(MODERN))
    expect((await agreed).dialect.revision).toBe(MODERN)
  })

  it('gives the error of the handshake when the probe stays silent for good [LIFE-10]', async () => {
    const refusal = no(-32601)
    const scene = new Scene({ 'server/discover': ['never'], initialize: [refusal] })
    const agreed = failure(negotiate(scene.opening, self, auto))
    scene.waits[0]?.end()
    await scene.waiting(2)
    scene.waits[1]?.end()
    expect(await agreed).toBe(refusal)
  })

  it('shakes hands in a legacy revision that a modern server lists [VERS-22]', async () => {
    const scene = new Scene({
      'server/discover': [no(-32022, { supported: ['2025-03-26', '2025-06-18'] })],
      initialize: [welcome('2025-06-18')],
    })
    await negotiate(scene.opening, self, auto)
    expect(scene.offers).toEqual(['2025-06-18'])
  })

  it('fails with both lists when a modern server has nothing in common, and does not fall back [VERS-06, VERS-12]', async () => {
    const scene = new Scene({ 'server/discover': [no(-32022, { supported: ['2031-01-01'] })] })
    const error = await failure(negotiate(scene.opening, self, auto))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
    expect(String(error)).toContain('2031-01-01')
    expect(String(error)).toContain(MODERN)
    expect(scene.said).toEqual(['server/discover'])
  })

  it('asks a server that lists what it refuses a second time, and no third [VERS-06]', async () => {
    const refusal = no(-32022, { supported: [MODERN] })
    const kind = new Scene({ 'server/discover': [refusal, discovery(MODERN)] })
    const { server } = await negotiate(kind.opening, self, auto)
    expect(server.revision).toBe(MODERN)
    const stubborn = new Scene({ 'server/discover': [refusal, refusal] })
    expect(await failure(negotiate(stubborn.opening, self, auto))).toBe(refusal)
    expect(stubborn.said).toEqual(['server/discover', 'server/discover'])
  })

  it('gives up a server that names an unknown version in the handshake, without a word more [VERS-03]', async () => {
    const scene = new Scene({
      'server/discover': [no(-32601)],
      initialize: [welcome('2023-01-01')],
    })
    const error = await failure(negotiate(scene.opening, self, auto))
    expect(error).toBeInstanceOf(ProtocolError)
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION', requirement: 'VERS-03' })
    expect(scene.said).not.toContain('notifications/initialized')
  })

  it('does not let a handshake agree on a modern revision [VERS-22]', async () => {
    const scene = new Scene({ 'server/discover': [no(-32601)], initialize: [welcome(MODERN)] })
    expect(await failure(negotiate(scene.opening, self, auto))).toMatchObject({
      code: 'DP_PROTOCOL_VERSION',
    })
  })

  it('offers a listed version once more when the first is refused, and only once [ERR-16]', async () => {
    const refusal = no(-32602, { supported: ['2024-11-05', '2025-03-26'], requested: '2025-11-25' })
    const scene = new Scene({
      'server/discover': [no(-32601)],
      initialize: [refusal, welcome('2025-03-26')],
    })
    expect((await negotiate(scene.opening, self, auto)).dialect.revision).toBe('2025-03-26')
    expect(scene.offers).toEqual(['2025-11-25', '2025-03-26'])
    const stubborn = new Scene({
      'server/discover': [no(-32601)],
      initialize: [refusal, refusal, welcome('2025-03-26')],
    })
    expect(await failure(negotiate(stubborn.opening, self, auto))).toBe(refusal)
    expect(stubborn.offers).toHaveLength(2)
  })

  it('turns to the modern revision that a refusal of the handshake lists [VERS-19]', async () => {
    const scene = new Scene({
      'server/discover': [no(-32603), discovery(MODERN)],
      initialize: [no(-32601, { supported: [MODERN] })],
    })
    expect((await negotiate(scene.opening, self, auto)).dialect.revision).toBe(MODERN)
  })

  it('reads an answer that is no answer as one of an old server [VERS-10]', async () => {
    const scene = new Scene({
      'server/discover': [new ProtocolError('DP_PROTOCOL_MESSAGE', 'odd')],
      initialize: [welcome('2025-11-25')],
    })
    expect((await negotiate(scene.opening, self, auto)).dialect.era).toBe('legacy')
  })

  it('ends with the link when the link ends [LIFE-10]', async () => {
    const gone = new TransportError('DP_TRANSPORT_EXIT', 'gone')
    const scene = new Scene({ 'server/discover': [gone] })
    expect(await failure(negotiate(scene.opening, self, auto))).toBe(gone)
  })
})

describe('a wish', () => {
  it('for the modern era probes all the same and never falls back [VERS-13]', async () => {
    const scene = new Scene({ 'server/discover': [no(-32601)] })
    const error = await failure(negotiate(scene.opening, self, { era: 'modern', probeMs: 1 }))
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
    expect(scene.said).toEqual(['server/discover'])
    expect(scene.waits).toEqual([])
  })

  it('for the legacy era begins with the handshake [LIFE-01, VERS-01]', async () => {
    const scene = new Scene({ initialize: [welcome('2025-11-25')] })
    await negotiate(scene.opening, self, { era: 'legacy', probeMs: 1 })
    expect(scene.said).toEqual(['initialize', 'notifications/initialized'])
  })

  it('for one revision offers and accepts only that one [VERS-01, VERS-03]', async () => {
    const scene = new Scene({ initialize: [welcome('2024-11-05')] })
    const error = await failure(
      negotiate(scene.opening, self, { ...auto, revisions: ['2025-03-26'] }),
    )
    expect(scene.offers).toEqual(['2025-03-26'])
    expect(error).toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
  })

  it('for the modern revision does not shake hands', async () => {
    const scene = new Scene({ 'server/discover': [no(-32601)] })
    await failure(negotiate(scene.opening, self, { ...auto, revisions: [MODERN] }))
    expect(scene.said).toEqual(['server/discover'])
  })

  it('that contradicts itself is refused before anything is said', async () => {
    const scene = new Scene({})
    const wish: EraWish = { era: 'legacy', revisions: [MODERN], probeMs: 1 }
    expect(await failure(negotiate(scene.opening, self, wish))).toMatchObject({ code: 'DP_USAGE' })
    expect(scene.said).toEqual([])
  })
})
