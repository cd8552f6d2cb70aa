/**
 * The weather as a tool: real answers from a service on loopback, the sample, and failures as a model reads them.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { idleContext } from '../../test/support/tool-context.ts'
import {
  BERLIN,
  json,
  NOW,
  raw,
  startWeatherService,
  stoppedClock,
} from '../../test/support/weather-service.ts'
import type { WeatherService } from '../../test/support/weather-service.ts'
import { CancelledError } from '../base/errors.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { compileSchema } from '../schema/check.ts'
import { toResult, ToolError } from '../tools/define.ts'
import { weather } from './weather.ts'
import type { WeatherOptions } from './weather.ts'

let service: WeatherService

beforeEach(async () => {
  service = await startWeatherService()
})

afterEach(() => service.close())

async function call(city: string, options: WeatherOptions = {}): Promise<CallToolResult> {
  const tool = weather({ geocoderUrl: service.base, forecastUrl: service.base, ...options })
  return toResult(await tool.run({ city }, idleContext()), true)
}

async function textOf(city: string, options: WeatherOptions = {}): Promise<string> {
  const [block] = (await call(city, options)).content
  return block?.type === 'text' ? block.text : ''
}

/** The message of the `ToolError` that a call ends with. */
async function failure(city: string, options: WeatherOptions = {}): Promise<string> {
  const error: unknown = await call(city, options).catch((reason: unknown) => reason)
  if (error instanceof ToolError) return error.message
  throw error
}

async function fits(value: unknown): Promise<boolean> {
  const schema = await compileSchema(weather({ offline: true }).tool.outputSchema ?? {})
  return schema.kind === 'checkable' && schema.check(value).valid === true
}

describe('real weather', () => {
  it('is told in words and as data that keep the output schema [TOOL-07]', async () => {
    const { content, structuredContent } = await call('Berlin')
    const { host } = new URL(service.base)
    expect(content).toEqual([
      {
        type: 'text',
        text:
          'Berlin (State of Berlin, Germany): light rain, 3.4 °C, feels like -0.6 °C, humidity 81 %, ' +
          `wind 17.3 km/h, local time 2026-12-01 14:15. Source: ${host}.`,
      },
    ])
    expect(structuredContent).toEqual({
      city: 'Berlin',
      region: 'State of Berlin',
      country: 'Germany',
      text: 'light rain',
      code: 61,
      celsius: 3.4,
      feelsLikeCelsius: -0.6,
      humidityPercent: 81,
      windKmh: 17.3,
      time: '2026-12-01T14:15',
      latitude: 52.52437,
      longitude: 13.41053,
      source: host,
      sample: false,
    })
    expect(await fits(structuredContent)).toBe(true)
  })

  it('is told in Chinese for a Chinese name', async () => {
    const beijing = { ...BERLIN, name: '北京市', admin1: '北京市', country: '中国' }
    service.search = json({ results: [beijing] })
    expect(await textOf('北京')).toBe(
      '北京市（中国）：小雨，3.4℃，体感-0.6℃，湿度81%，风速17.3公里/小时，当地时间2026-12-01 14:15。' +
        `数据来源：${new URL(service.base).host}。`,
    )
  })

  it('is told in the language that the server was started with', async () => {
    expect(await textOf('Berlin', { language: 'zh' })).toContain('小雨')
    expect(await textOf('北京', { language: 'en' })).toContain('light rain')
  })

  it('names other places of the same name on a second line', async () => {
    const far = { ...BERLIN, id: 1, admin1: 'New Hampshire', country: 'United States' }
    service.search = json({ results: [BERLIN, far] })
    const { structuredContent } = await call('Berlin')
    expect(structuredContent).toHaveProperty('others', ['Berlin (New Hampshire, United States)'])
    expect((await textOf('Berlin')).split('\n')[1]).toBe(
      'Other places of this name: Berlin (New Hampshire, United States). To get one of them, add a comma and its region.',
    )
    expect(await textOf('Berlin', { language: 'zh' })).toContain(
      '\n同名地点还有：Berlin（New Hampshire，United States）。',
    )
  })

  it('leaves out what the service left out', async () => {
    service.search = json({ results: [{ name: 'Berlin', latitude: 52.5, longitude: 13.4 }] })
    service.forecast = json({ current: { temperature_2m: 0, weather_code: 42 } })
    const { structuredContent } = await call('Berlin')
    expect(Object.keys(Object(structuredContent)).toSorted()).toEqual(
      ['celsius', 'city', 'code', 'latitude', 'longitude', 'sample', 'source', 'text'].toSorted(),
    )
    expect(await fits(structuredContent)).toBe(true)
    expect(await textOf('Berlin')).toMatch(/^Berlin: unknown weather \(code 42\), 0 °C\. Source: /)
  })

  it('comes from the addresses in the environment, unless an option names one', async () => {
    const env = { DEEP_PILOT_GEOCODER_URL: service.base, DEEP_PILOT_FORECAST_URL: service.base }
    const tool = weather({ env })
    expect(
      toResult(await tool.run({ city: 'Berlin' }, idleContext()), true).isError,
    ).toBeUndefined()
    expect(service.asked).toHaveLength(2)
    const wrong = { DEEP_PILOT_GEOCODER_URL: 'ftp://x', DEEP_PILOT_FORECAST_URL: 'ftp://x' }
    expect(await textOf('Berlin', { env: wrong })).toContain('light rain')
  })

  it('takes an empty variable for an unset one', () => {
    const env = { DEEP_PILOT_GEOCODER_URL: '', DEEP_PILOT_FORECAST_URL: '' }
    expect(weather({ env }).tool.name).toBe('weather')
  })

  it('refuses an unusable address when the server starts', () => {
    const env = { DEEP_PILOT_FORECAST_URL: 'open-meteo' }
    expect(() => weather({ env })).toThrow('The forecast address "open-meteo" cannot be used')
  })
})

describe('no weather', () => {
  it('hints at --offline when the service fails in whatever way [TOOL-14]', async () => {
    const advice = 'Starting the server with --offline gives a sample instead.'
    const refused = { geocoderUrl: 'http://127.0.0.1:9' }
    expect(await failure('Berlin', refused)).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/v1\/search cannot be reached: /,
    )
    expect(await failure('Berlin', refused)).toContain(advice)
    service.forecast = raw('garbage')
    expect(await failure('Berlin')).toContain(advice)
    service.forecast = raw('', 500)
    expect(await failure('Berlin')).toContain(advice)
  })

  it('tells which limit a slow service ran into', async () => {
    const clock = stoppedClock()
    service.search = () => clock.expire()
    expect(await failure('Berlin', { clock })).toContain(
      'did not answer within 10 s. Starting the server',
    )
  })

  it('gives advice on the name for an unknown city, not on the network', async () => {
    service.search = json({ generationtime_ms: 0.3 })
    const message = await failure('Xyzzy')
    expect(message).toContain('No place named "Xyzzy" was found. Check the spelling')
    expect(message).not.toContain('--offline')
  })

  it('asks for a name when the city has nothing to show', async () => {
    for (const city of [' ', '\u3000\n', '\u200b\u0000']) {
      expect(await failure(city)).toBe('The city is empty. Name one, for example Berlin or 北京.')
    }
    expect(service.asked).toEqual([])
  })

  it('passes the reason on when the caller gives up', async () => {
    const reason = new CancelledError('given up')
    const tool = weather({ geocoderUrl: service.base, forecastUrl: service.base })
    const run = async (): Promise<unknown> =>
      tool.run({ city: 'Berlin' }, idleContext(AbortSignal.abort(reason)))
    await expect(run()).rejects.toBe(reason)
  })
})

describe('the sample', () => {
  const offline = { offline: true }

  it('says in its text that it is one, and keeps the output schema [TOOL-07]', async () => {
    const { content, structuredContent } = await call('北京', offline)
    expect(content).toEqual([
      { type: 'text', text: '北京 今天晴，25℃（mock）。这是示例数据，不是真实天气。' },
    ])
    expect(structuredContent).toEqual({
      city: '北京',
      text: '晴',
      code: 0,
      celsius: 25,
      source: 'sample',
      sample: true,
    })
    expect(await fits(structuredContent)).toBe(true)
    expect(await textOf('Berlin', offline)).toBe(
      'Berlin: clear sky, 25 °C (mock). This is a sample, not real weather.',
    )
  })

  it('opens no connection, whatever the addresses', async () => {
    const fetch = (): never => expect.fail('a connection was opened')
    const again = await call('Berlin', {
      ...offline,
      fetch,
      env: { DEEP_PILOT_FORECAST_URL: 'ftp://x' },
    })
    expect(again).toEqual(await call('Berlin', offline))
    expect(service.asked).toEqual([])
  })

  it('says in the description of the tool that the weather is invented', () => {
    expect(weather(offline).tool).toMatchObject({
      name: 'weather',
      title: 'Weather (sample)',
      annotations: { openWorldHint: false },
    })
    expect(weather().tool).toMatchObject({ title: 'Weather', annotations: { openWorldHint: true } })
  })
})

it('keeps the numbers of the service as they are', async () => {
  service.forecast = json({ current: { ...NOW, temperature_2m: -40.05 } })
  expect(await textOf('Berlin')).toContain('-40.05 °C')
})
