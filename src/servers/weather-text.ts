/**
 * Weather told in a sentence, in English or Chinese. Texts of the service arrive here clean.
 */

import type { WeatherReport } from './open-meteo.ts'
import type { Place } from './place.ts'
import type { WeatherLanguage } from './weather-words.ts'

export interface ReportWords {
  /** The weather code in words. */
  readonly words: string
  /** Host that the weather comes from. */
  readonly source: string
  readonly language: WeatherLanguage
}

export interface SampleWords {
  readonly words: string
  readonly celsius: number
  readonly language: WeatherLanguage
}

/** Current weather, its source, and on a second line other places of the name. */
export function reportText(
  report: WeatherReport,
  { words, source, language }: ReportWords,
): string {
  const { place, others, weather } = report
  const { celsius, feelsLikeCelsius, humidityPercent, windKmh } = weather
  const time = weather.time?.replace('T', ' ')
  const chinese = language === 'zh'
  const facts = chinese
    ? [
        `${words}，${celsius}℃`,
        feelsLikeCelsius === undefined ? '' : `体感${feelsLikeCelsius}℃`,
        humidityPercent === undefined ? '' : `湿度${humidityPercent}%`,
        windKmh === undefined ? '' : `风速${windKmh}公里/小时`,
        time === undefined ? '' : `当地时间${time}`,
      ]
    : [
        `${words}, ${celsius} °C`,
        feelsLikeCelsius === undefined ? '' : `feels like ${feelsLikeCelsius} °C`,
        humidityPercent === undefined ? '' : `humidity ${humidityPercent} %`,
        windKmh === undefined ? '' : `wind ${windKmh} km/h`,
        time === undefined ? '' : `local time ${time}`,
      ]
  const told = facts.filter(Boolean).join(chinese ? '，' : ', ')
  const line = chinese
    ? `${placeName(place, language)}：${told}。数据来源：${source}。`
    : `${placeName(place, language)}: ${told}. Source: ${source}.`
  return others.length === 0 ? line : `${line}\n${othersText(others, language)}`
}

/** A sample, marked as one in its own words. */
export function sampleText(city: string, { words, celsius, language }: SampleWords): string {
  return language === 'zh'
    ? `${city} 今天${words}，${celsius}℃（mock）。这是示例数据，不是真实天气。`
    : `${city}: ${words}, ${celsius} °C (mock). This is a sample, not real weather.`
}

/** `Berlin (New Hampshire, United States)`, or `北京（北京市，中国）`; without what is not known or says the same twice. */
export function placeName(place: Place, language: WeatherLanguage): string {
  const around = [place.region, place.country].filter(
    (part) => part !== undefined && part !== place.name,
  )
  if (around.length === 0) return place.name
  return language === 'zh'
    ? `${place.name}（${around.join('，')}）`
    : `${place.name} (${around.join(', ')})`
}

function othersText(others: readonly Place[], language: WeatherLanguage): string {
  const names = others.map((place) => placeName(place, language))
  return language === 'zh'
    ? `同名地点还有：${names.join('；')}。要查其中之一，请在地名后加逗号和地区。`
    : `Other places of this name: ${names.join('; ')}. To get one of them, add a comma and its region.`
}
