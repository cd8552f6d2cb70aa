/**
 * The current weather at a place by its name, from Open-Meteo's geocoding and forecast APIs, which need no key.
 *
 * Two requests, three for a Chinese name; one time limit over all. What comes back is checked member by member and
 * its texts are cleaned. Words, languages and the tool itself are not here.
 */

import { systemClock } from '../base/clock.ts'
import type { Clock } from '../base/clock.ts'
import { TimeoutError, TransportError, UsageError } from '../base/errors.ts'
import { isJsonObject } from '../base/json.ts'
import type { JsonObject } from '../base/json.ts'
import { cleanText, getJson } from './json-over-http.ts'
import type { JsonRequest } from './json-over-http.ts'
import { choosePlace, searchNames } from './place.ts'
import type { Place } from './place.ts'
import { languageOfName } from './weather-words.ts'

export const GEOCODER_URL = 'https://geocoding-api.open-meteo.com/'
export const FORECAST_URL = 'https://api.open-meteo.com/'

/** Time for one question, all requests together. */
const DEFAULT_TIMEOUT_MS = 10_000
/** Places asked for; the service's own default. */
const MAX_PLACES = 10
/** Longest name or time taken over from the service, in characters. */
const MAX_NAME = 80

const CURRENT = [
  'temperature_2m',
  'apparent_temperature',
  'relative_humidity_2m',
  'wind_speed_10m',
  'weather_code',
].join(',')

export interface OpenMeteoOptions {
  /** Address under which `v1/search` lies. Its query is kept, for a customer's key. Default `GEOCODER_URL`. */
  readonly geocoderUrl?: string | undefined
  /** Address under which `v1/forecast` lies. Default `FORECAST_URL`. */
  readonly forecastUrl?: string | undefined
  /** Limit in ms for one question, all requests together. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Default the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly clock?: Clock | undefined
}

/** The weather now. Members that the service left out are undefined. */
export interface CurrentWeather {
  readonly celsius: number
  /** WMO table 4677. */
  readonly code: number
  readonly feelsLikeCelsius: number | undefined
  readonly humidityPercent: number | undefined
  readonly windKmh: number | undefined
  /** Local time of the place, `2026-12-01T14:15`. */
  readonly time: string | undefined
}

export interface WeatherReport {
  readonly place: Place
  /** Other places of the same name, the service's best first. */
  readonly others: readonly Place[]
  readonly weather: CurrentWeather
}

export interface OpenMeteo {
  /** Host that the weather comes from. */
  readonly source: string
  /**
   * The weather at the place called `city`; `Springfield, Illinois` names a region too. Rejects with a `UsageError` for
   * a place that is not known, a `TransportError` or `TimeoutError` for a service that does not answer as it should,
   * and with the signal's reason.
   */
  current(city: string, signal: AbortSignal): Promise<WeatherReport>
}

/** Checks the addresses at once: throws a `UsageError` for one that is not plain http or https. */
export function openMeteo(options: OpenMeteoOptions = {}): OpenMeteo {
  const geocoder = serviceUrl(options.geocoderUrl ?? GEOCODER_URL, 'geocoder', 'v1/search')
  const forecaster = serviceUrl(options.forecastUrl ?? FORECAST_URL, 'forecast', 'v1/forecast')
  const { timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock, fetch = globalThis.fetch } = options
  return {
    source: forecaster.host,
    async current(city, signal) {
      const own = new AbortController()
      const timer = clock.after(timeoutMs, () =>
        own.abort(expired(timeoutMs, geocoder, forecaster)),
      )
      const request: JsonRequest = { fetch, signal: AbortSignal.any([signal, own.signal]) }
      try {
        const found = await findPlace(geocoder, city, request)
        return { ...found, weather: await weatherAt(forecaster, found.place, request) }
      } finally {
        timer.cancel()
        // Whatever is still open, an unread answer or a second search, ends here.
        own.abort()
      }
    },
  }
}

async function findPlace(
  geocoder: URL,
  city: string,
  request: JsonRequest,
): Promise<{ place: Place; others: readonly Place[] }> {
  const names = searchNames(city)
  const lists = await Promise.all(
    names.map(async (name) => {
      const url = withQuery(geocoder, {
        name,
        count: String(MAX_PLACES),
        language: languageOfName(name),
        format: 'json',
      })
      return readPlaces(await getJson(url, request), geocoder)
    }),
  )
  const found = choosePlace(city, lists.flat())
  if (found === undefined) {
    throw new UsageError(
      `No place named ${JSON.stringify(city)} was found. Check the spelling, write at least two letters, ` +
        'try its English or its local name, or name the region: "Springfield, Illinois".',
    )
  }
  return found
}

async function weatherAt(
  forecaster: URL,
  place: Place,
  request: JsonRequest,
): Promise<CurrentWeather> {
  const url = withQuery(forecaster, {
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    current: CURRENT,
    temperature_unit: 'celsius',
    wind_speed_unit: 'kmh',
    timezone: 'auto',
  })
  return readWeather(await getJson(url, request), forecaster)
}

function readPlaces(answer: JsonObject, geocoder: URL): readonly Place[] {
  const { results } = answer
  // Without a match the service leaves the member out.
  if (results === undefined) return []
  if (!Array.isArray(results)) throw wrongShape(geocoder, 'results')
  const places = results.slice(0, MAX_PLACES).flatMap((entry) => readPlace(entry) ?? [])
  if (places.length === 0 && results.length > 0) throw wrongShape(geocoder, 'results')
  return places
}

function readPlace(entry: unknown): Place | undefined {
  if (!isJsonObject(entry)) return undefined
  const name = cleanText(entry['name'], MAX_NAME)
  const latitude = numberWithin(entry['latitude'], -90, 90)
  const longitude = numberWithin(entry['longitude'], -180, 180)
  if (name === undefined || latitude === undefined || longitude === undefined) return undefined
  const feature = entry['feature_code']
  return {
    id: numberWithin(entry['id'], 0, Number.MAX_SAFE_INTEGER),
    name,
    region: cleanText(entry['admin1'], MAX_NAME),
    country: cleanText(entry['country'], MAX_NAME),
    latitude,
    longitude,
    isTown: typeof feature === 'string' && feature.startsWith('PPL'),
    population: numberWithin(entry['population'], 0, 1e11) ?? 0,
  }
}

function readWeather(answer: JsonObject, forecaster: URL): CurrentWeather {
  const { current } = answer
  if (!isJsonObject(current)) throw wrongShape(forecaster, 'current')
  const celsius = numberWithin(current['temperature_2m'], -150, 100)
  if (celsius === undefined) throw wrongShape(forecaster, 'current.temperature_2m')
  const code = numberWithin(current['weather_code'], 0, 99)
  if (code === undefined || !Number.isInteger(code)) {
    throw wrongShape(forecaster, 'current.weather_code')
  }
  return {
    celsius,
    code,
    feelsLikeCelsius: numberWithin(current['apparent_temperature'], -200, 150),
    humidityPercent: numberWithin(current['relative_humidity_2m'], 0, 100),
    windKmh: numberWithin(current['wind_speed_10m'], 0, 1000),
    time: localTime(current['time']),
  }
}

function localTime(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 32) return undefined
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? value : undefined
}

function numberWithin(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && value >= least && value <= most ? value : undefined
}

/** The address of an API; every later one is this one with a query. */
function serviceUrl(base: string, service: string, path: string): URL {
  const problem = `The ${service} address ${JSON.stringify(base.slice(0, 200))} cannot be used:`
  const detail = { kind: 'bad-address', what: 'weather' } as const
  if (!URL.canParse(base))
    throw new UsageError(`${problem} it is no URL. Write one with http or https.`, { detail })
  const url = new URL(base)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`${problem} only http and https are spoken.`, {
      detail: { ...detail, scheme: url.protocol },
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`The ${service} address holds a user name or password; leave them out.`, {
      detail,
    })
  }
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url
}

function withQuery(base: URL, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url
}

function wrongShape(service: URL, member: string): TransportError {
  return new TransportError(
    'DP_TRANSPORT_CLOSED',
    `${service.origin}${service.pathname} answered in an unknown form: "${member}" is missing or wrong. ` +
      'Check that the address is an Open-Meteo API.',
  )
}

function expired(ms: number, ...services: readonly URL[]): TimeoutError {
  const hosts = [...new Set(services.map(({ host }) => host))].join(' and ')
  return new TimeoutError(`${hosts} did not answer within ${ms / 1000} s.`, {
    timer: 'total',
    ms,
    setBy: ms === DEFAULT_TIMEOUT_MS ? 'default' : 'call',
  })
}
