/**
 * A weather service on loopback whose answers a test decides, and a clock that stands still.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../src/base/clock.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const BERLIN = {
  id: 2950159,
  name: 'Berlin',
  latitude: 52.52437,
  longitude: 13.41053,
  feature_code: 'PPLC',
  country: 'Germany',
  admin1: 'State of Berlin',
  population: 3426354,
}

export const NOW = {
  time: '2026-12-01T14:15',
  interval: 900,
  temperature_2m: 3.4,
  apparent_temperature: -0.6,
  relative_humidity_2m: 81,
  wind_speed_10m: 17.3,
  weather_code: 61,
}

export interface WeatherService {
  /** `http://127.0.0.1:<port>` */
  readonly base: string
  /** Every request so far, in order. Empty it to forget. */
  readonly asked: URL[]
  /** Answers `…/v1/search`; at first with Berlin. */
  search: Answer
  /** Answers everything else; at first with light rain at 3.4 °C. */
  forecast: Answer
  close(): Promise<void>
}

/** Starts a service; close it after the test. */
export async function startWeatherService(): Promise<WeatherService> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', service.base)
    service.asked.push(url)
    const answer = url.pathname.endsWith('/v1/search') ? service.search : service.forecast
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const service: WeatherService = {
    base: `http://127.0.0.1:${port}`,
    asked: [],
    search: json({ results: [BERLIN], generationtime_ms: 0.6 }),
    forecast: json({ latitude: 52.52, longitude: 13.42, timezone: 'Europe/Berlin', current: NOW }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

/** Answers with a JSON document. */
export function json(value: unknown, status = 200): Answer {
  return raw(JSON.stringify(value), status)
}

/** Answers with these bytes. */
export function raw(
  body: string | Uint8Array,
  status = 200,
  headers: Record<string, string> = {},
): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

export interface StoppedClock extends Clock {
  /** Timers that are set. */
  readonly pending: number
  /** Lets every timer that is set fire. */
  readonly expire: () => void
}

/** A clock whose time stands until `expire` is called. */
export function stoppedClock(): StoppedClock {
  const due = new Set<() => void>()
  return {
    now: () => 0,
    wall: () => 0,
    after(_ms, run) {
      due.add(run)
      return { cancel: () => due.delete(run) }
    },
    expire: () => {
      for (const run of due) run()
    },
    get pending() {
      return due.size
    },
  }
}
