/**
 * The weather as a tool: real weather from Open-Meteo, or with `offline` a sample that says so. Looking the weather up is in `open-meteo.ts`.
 */

import { PilotError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { defineTool, reply, ToolError } from '../tools/define.ts'
import type { Reply, ToolDefinition } from '../tools/define.ts'
import { cleanText } from './json-over-http.ts'
import { openMeteo } from './open-meteo.ts'
import type { OpenMeteo, OpenMeteoOptions, WeatherReport } from './open-meteo.ts'
import { placeName, reportText, sampleText } from './weather-text.ts'
import { languageOfName, weatherInWords } from './weather-words.ts'
import type { WeatherLanguage } from './weather-words.ts'

/** Longest name of a place, in characters. */
const MAX_CITY = 100

export interface WeatherOptions extends OpenMeteoOptions {
  /** Answers every place with the same sample and opens no connection. Default false. */
  readonly offline?: boolean | undefined
  /** Language of the answer. Default: Chinese for a name in Chinese characters, else English. */
  readonly language?: WeatherLanguage | undefined
  /**
   * Environment in which `DEEP_PILOT_GEOCODER_URL` and `DEEP_PILOT_FORECAST_URL` name the services, unless the options
   * do. Default: none.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** The tool `weather`: `{ city: "北京" }`. Throws a `UsageError` for an address of a service that cannot be used. */
export function weather(options: WeatherOptions = {}): ToolDefinition {
  const { offline = false } = options
  const service = offline ? undefined : openMeteo(fromEnvironment(options))
  return defineTool<{ city: string }, JsonObject>({
    name: 'weather',
    title: offline ? 'Weather (sample)' : 'Weather',
    description: offline
      ? 'Answers every place with the same invented sample, marked as such. For trying things out without a network.'
      : 'The current weather in a city or town, from Open-Meteo. Takes names in any language, for example Berlin, ' +
        '北京 or "Springfield, Illinois".',
    input: INPUT,
    output: OUTPUT,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: !offline },
    async run(args, { signal }) {
      const city = cleanText(args.city, MAX_CITY)
      if (city === undefined)
        throw new ToolError('The city is empty. Name one, for example Berlin or 北京.')
      const language = options.language ?? (languageOfName(city) === 'zh' ? 'zh' : 'en')
      if (service === undefined) return sample(city, language)
      const report = await lookUp(service, city, signal)
      return answer(report, service.source, language)
    },
  })
}

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    city: {
      type: 'string',
      description:
        'Name of a city or town in any language, with a region behind a comma if need be',
      minLength: 1,
      maxLength: MAX_CITY,
    },
  },
  required: ['city'],
  additionalProperties: false,
}

const OUTPUT: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Name of the place that was found' },
    region: { type: 'string' },
    country: { type: 'string' },
    text: { type: 'string', description: 'The weather in words' },
    code: { type: 'integer', description: 'The weather as a code of WMO table 4677' },
    celsius: { type: 'number', description: 'Temperature in degrees Celsius' },
    feelsLikeCelsius: { type: 'number' },
    humidityPercent: { type: 'number' },
    windKmh: { type: 'number' },
    time: { type: 'string', description: 'Local time of the place, such as 14:15 on a day' },
    latitude: { type: 'number' },
    longitude: { type: 'number' },
    others: {
      type: 'array',
      items: { type: 'string' },
      description: 'Other places of the same name',
    },
    source: { type: 'string', description: 'Where the weather comes from' },
    sample: { type: 'boolean', description: 'True when the weather is invented' },
  },
  required: ['city', 'text', 'code', 'celsius', 'source', 'sample'],
  additionalProperties: false,
}

/** Options win over the environment; an empty variable counts as unset. */
function fromEnvironment(options: WeatherOptions): OpenMeteoOptions {
  const { env = {} } = options
  return {
    ...options,
    geocoderUrl: options.geocoderUrl ?? (env['DEEP_PILOT_GEOCODER_URL'] || undefined),
    forecastUrl: options.forecastUrl ?? (env['DEEP_PILOT_FORECAST_URL'] || undefined),
  }
}

async function lookUp(
  service: OpenMeteo,
  city: string,
  signal: AbortSignal,
): Promise<WeatherReport> {
  try {
    return await service.current(city, signal)
  } catch (error) {
    // Given up by the caller: nobody reads an answer.
    if (signal.aborted || !(error instanceof PilotError)) throw error
    const isAnswer = error.family === 'usage'
    const advice = isAnswer ? '' : ' Starting the server with --offline gives a sample instead.'
    throw new ToolError(`${error.message}${advice}`, { cause: error })
  }
}

function answer(report: WeatherReport, source: string, language: WeatherLanguage): Reply {
  const { place, others, weather } = report
  const words = weatherInWords(weather.code, language)
  const { name: city, region, country, latitude, longitude } = place
  const value: JsonObject = {
    city,
    region,
    country,
    text: words,
    ...weather,
    latitude,
    longitude,
    others: others.length === 0 ? undefined : others.map((each) => placeName(each, language)),
    source,
    sample: false,
  }
  const text = reportText(report, { words, source, language })
  return reply({ content: [{ type: 'text', text }], structuredContent: known(value) })
}

/** The same for every place and every day, so that demonstrations and tests can rely on it. */
function sample(city: string, language: WeatherLanguage): Reply {
  const words = weatherInWords(0, language)
  const celsius = 25
  const value: JsonObject = {
    city,
    text: words,
    code: 0,
    celsius,
    source: 'sample',
    sample: true,
  }
  const text = sampleText(city, { words, celsius, language })
  return reply({ content: [{ type: 'text', text }], structuredContent: value })
}

/** Without the members that are not known: in JSON they do not exist. */
function known(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
