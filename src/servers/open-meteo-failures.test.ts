/**
 * The weather client against a service on loopback that misbehaves: every failure named, every read and wait bounded.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BERLIN,
  json,
  NOW,
  raw,
  startWeatherService,
  stoppedClock,
} from '../../test/support/weather-service.ts'
import type { WeatherService } from '../../test/support/weather-service.ts'
import { PilotError } from '../base/errors.ts'
import { MAX_ANSWER_BYTES } from './json-over-http.ts'
import { openMeteo } from './open-meteo.ts'
import type { OpenMeteoOptions, WeatherReport } from './open-meteo.ts'

let service: WeatherService

beforeEach(async () => {
  service = await startWeatherService()
})

afterEach(() => service.close())

function look(city: string, options: OpenMeteoOptions = {}): Promise<WeatherReport> {
  const client = openMeteo({ geocoderUrl: service.base, forecastUrl: service.base, ...options })
  return client.current(city, new AbortController().signal)
}

/** The error that a look-up ends with. */
async function trouble(city = 'Berlin', options: OpenMeteoOptions = {}): Promise<PilotError> {
  const error: unknown = await look(city, options).then(
    () => new Error('no trouble'),
    (reason: unknown) => reason,
  )
  if (error instanceof PilotError) return error
  throw error
}

describe('a service that does not answer as it should', () => {
  it('is named when it cannot be reached', async () => {
    const error = await trouble('Berlin', { geocoderUrl: 'http://127.0.0.1:9' })
    expect(error.family).toBe('transport')
    expect(error.message).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/v1\/search cannot be reached: \S.*\. Check the network\.$/,
    )
  })

  it('names the cause of a refused connection', async () => {
    const port = new URL(service.base).port
    const refused = createServer()
    refused.listen(0, '127.0.0.1')
    await once(refused, 'listening')
    const address = refused.address()
    const closed = typeof address === 'object' && address !== null ? address.port : Number(port)
    refused.close()
    await once(refused, 'close')
    const error = await trouble('Berlin', { forecastUrl: `http://127.0.0.1:${closed}` })
    expect(error.message).toContain(
      `http://127.0.0.1:${closed}/v1/forecast cannot be reached: ECONNREFUSED`,
    )
  })

  it('is told with the status of a failure of its own', async () => {
    service.search = raw('<h1>oops</h1>', 503)
    expect((await trouble()).message).toBe(
      `${service.base}/v1/search answered with HTTP status 503. Try again later.`,
    )
    service.search = json({ results: [BERLIN] })
    service.forecast = raw('', 500)
    expect((await trouble()).message).toContain('/v1/forecast answered with HTTP status 500')
  })

  it('is quoted with its reason for a refusal, cleaned and cut', async () => {
    service.forecast = json(
      { error: true, reason: `Latitude\u001b[2J must be in range. ${'x'.repeat(5_000)}` },
      400,
    )
    const { message } = await trouble()
    expect(message).toContain(
      'answered with HTTP status 400 and says "Latitude[2J must be in range. xxx',
    )
    expect(message.length).toBeLessThan(400)
  })

  it('is told apart when there were too many requests', async () => {
    service.search = json({ error: true, reason: 'Daily API request limit exceeded.' }, 429)
    const { message } = await trouble()
    expect(message).toContain('Daily API request limit exceeded.')
    expect(message).toContain('Too many requests: try again later.')
    service.search = raw('not JSON', 404)
    expect((await trouble()).message).toContain('HTTP status 404. Check the address.')
  })

  it('counts as failed when it says so with status 200', async () => {
    service.forecast = json({ error: true, reason: 'no data' })
    expect((await trouble()).message).toContain('says "no data"')
  })

  it('may not redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      service.asked.length = 0
      service.search = raw('', status, { location: `${service.base}/elsewhere` })
      expect((await trouble()).message).toContain('answered with a redirect, which is refused')
      expect(service.asked.map(({ pathname }) => pathname)).toEqual(['/v1/search'])
    }
  })

  it('may not answer with anything but a JSON object', async () => {
    const deep = `{"results":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    const bodies = [
      '',
      'garbage',
      '{"results":',
      '[1]',
      '"text"',
      'null',
      deep,
      Uint8Array.of(0x7b, 0xff, 0x7d),
    ]
    for (const body of bodies) {
      service.search = raw(body)
      expect((await trouble()).message).toMatch(
        /\/v1\/search answered with something that is not (a )?JSON/,
      )
    }
  })

  it('may not answer in another shape', async () => {
    const searches = [
      { results: {} },
      { results: 'x' },
      { results: [1] },
      { results: [{ ...BERLIN, latitude: '52' }] },
      { results: [{ ...BERLIN, longitude: 181 }] },
      { results: [{ ...BERLIN, name: 7 }] },
    ]
    for (const answer of searches) {
      service.search = json(answer)
      expect((await trouble()).message).toContain(
        '/v1/search answered in an unknown form: "results"',
      )
    }
    service.search = json({ results: [BERLIN] })
    const wrong: [unknown, string][] = [
      [{}, 'current'],
      [{ current: [] }, 'current'],
      [{ current: { ...NOW, temperature_2m: '3.4' } }, 'current.temperature_2m'],
      [{ current: { ...NOW, temperature_2m: 1e6 } }, 'current.temperature_2m'],
      [{ current: { ...NOW, weather_code: 1.5 } }, 'current.weather_code'],
      [{ current: { ...NOW, weather_code: null } }, 'current.weather_code'],
    ]
    for (const [answer, member] of wrong) {
      service.forecast = json(answer)
      expect((await trouble()).message).toContain(`unknown form: "${member}" is missing or wrong`)
    }
  })

  it('loses single places that are malformed, not the list', async () => {
    service.search = json({ results: [null, { ...BERLIN, latitude: null }, BERLIN] })
    expect((await look('Berlin')).place.name).toBe('Berlin')
  })

  it('is told when its answer breaks off', async () => {
    service.search = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"results":', () => response.destroy())
    }
    expect((await trouble()).message).toMatch(/^The answer of .*\/v1\/search broke off: /)
  })
})

describe('what is read is bounded', () => {
  it('takes an answer of exactly 1 MiB and none of one byte more', async () => {
    const body = JSON.stringify({ results: [BERLIN] })
    service.search = raw(body.padEnd(MAX_ANSWER_BYTES, ' '))
    expect((await look('Berlin')).place.name).toBe('Berlin')
    service.search = raw(body.padEnd(MAX_ANSWER_BYTES + 1, ' '))
    const error = await trouble()
    expect(error.code).toBe('DP_TRANSPORT_TOO_LARGE')
    expect(error.message).toContain('answered with more than 1048576 bytes')
  })

  it('hangs up on an answer without an end', async () => {
    let sent = 0
    let hungUp: Promise<unknown> | undefined
    service.search = (_request, response) => {
      hungUp = once(response, 'close')
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const pump = (): void => {
        while (!response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', pump)
        }
      }
      pump()
    }
    expect((await trouble()).code).toBe('DP_TRANSPORT_TOO_LARGE')
    await hungUp
    expect(sent).toBeLessThan(16 * MAX_ANSWER_BYTES)
  })

  it('counts bytes after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * MAX_ANSWER_BYTES, ' '))
    expect(bomb.length).toBeLessThan(MAX_ANSWER_BYTES)
    service.search = raw(bomb, 200, { 'content-encoding': 'gzip' })
    expect((await trouble()).code).toBe('DP_TRANSPORT_TOO_LARGE')
  })
})

describe('time', () => {
  it('ends a question that is not answered at all', async () => {
    const clock = stoppedClock()
    service.search = () => clock.expire()
    const error = await trouble('Berlin', { clock })
    expect(error).toMatchObject({ family: 'timeout', timer: 'total', ms: 10_000, setBy: 'default' })
    expect(error.message).toBe(`${new URL(service.base).host} did not answer within 10 s.`)
  })

  it('ends a question whose answer stops halfway', async () => {
    const clock = stoppedClock()
    service.forecast = (_request, response) => {
      response.write('{"current":', () => setImmediate(clock.expire))
    }
    expect((await trouble('Berlin', { clock, timeoutMs: 2_500 })).message).toContain('within 2.5 s')
  })

  it('leaves no timer behind, whatever the end', async () => {
    const clock = stoppedClock()
    await look('Berlin', { clock })
    expect(clock.pending).toBe(0)
    service.search = json({}, 500)
    await trouble('Berlin', { clock })
    expect(clock.pending).toBe(0)
  })

  it('ends at once when the caller gives up, with the reason of the caller', async () => {
    const caller = new AbortController()
    const reason = new Error('given up')
    let hungUp: Promise<unknown> | undefined
    service.search = (_request, response) => {
      hungUp = once(response, 'close')
      caller.abort(reason)
    }
    const client = openMeteo({ geocoderUrl: service.base, forecastUrl: service.base })
    await expect(client.current('Berlin', caller.signal)).rejects.toBe(reason)
    await hungUp
  })

  it('asks nothing when the caller has given up before', async () => {
    const client = openMeteo({ geocoderUrl: service.base, forecastUrl: service.base })
    await expect(client.current('Berlin', AbortSignal.abort(new Error('before')))).rejects.toThrow(
      'before',
    )
    expect(service.asked).toEqual([])
  })
})
