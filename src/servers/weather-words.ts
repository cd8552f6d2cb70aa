/**
 * The weather codes of WMO table 4677 that Open-Meteo uses, in words, and the script that a place name is written in.
 * Not a translation table for anything else.
 */

export type WeatherLanguage = 'en' | 'zh'

const WORDS: ReadonlyMap<number, Readonly<Record<WeatherLanguage, string>>> = new Map([
  [0, { en: 'clear sky', zh: '晴' }],
  [1, { en: 'mainly clear', zh: '大部晴朗' }],
  [2, { en: 'partly cloudy', zh: '多云' }],
  [3, { en: 'overcast', zh: '阴' }],
  [45, { en: 'fog', zh: '雾' }],
  [48, { en: 'freezing fog', zh: '冻雾' }],
  [51, { en: 'light drizzle', zh: '轻微毛毛雨' }],
  [53, { en: 'drizzle', zh: '毛毛雨' }],
  [55, { en: 'dense drizzle', zh: '密集毛毛雨' }],
  [56, { en: 'light freezing drizzle', zh: '轻微冻毛毛雨' }],
  [57, { en: 'dense freezing drizzle', zh: '密集冻毛毛雨' }],
  [61, { en: 'light rain', zh: '小雨' }],
  [63, { en: 'rain', zh: '中雨' }],
  [65, { en: 'heavy rain', zh: '大雨' }],
  [66, { en: 'light freezing rain', zh: '小冻雨' }],
  [67, { en: 'heavy freezing rain', zh: '大冻雨' }],
  [71, { en: 'light snow', zh: '小雪' }],
  [73, { en: 'snow', zh: '中雪' }],
  [75, { en: 'heavy snow', zh: '大雪' }],
  [77, { en: 'snow grains', zh: '米雪' }],
  [80, { en: 'light rain showers', zh: '小阵雨' }],
  [81, { en: 'rain showers', zh: '阵雨' }],
  [82, { en: 'violent rain showers', zh: '强阵雨' }],
  [85, { en: 'light snow showers', zh: '小阵雪' }],
  [86, { en: 'heavy snow showers', zh: '大阵雪' }],
  [95, { en: 'thunderstorm', zh: '雷暴' }],
  [96, { en: 'thunderstorm with light hail', zh: '雷暴伴小冰雹' }],
  [99, { en: 'thunderstorm with heavy hail', zh: '雷暴伴大冰雹' }],
])

/** A weather code in words; a code that is not in the table is named by its number. */
export function weatherInWords(code: number, language: WeatherLanguage): string {
  const unknown = language === 'zh' ? `未知天气（代码 ${code}）` : `unknown weather (code ${code})`
  return WORDS.get(code)?.[language] ?? unknown
}

/** All codes that have words. */
export const WEATHER_CODES: readonly number[] = [...WORDS.keys()]

const HAN = /\p{Script=Han}/u

/** Scripts that give their language away. Kana before Han: Japanese has both. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [HAN, 'zh'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
]

/** The language (ISO 639-1) in which a place name is looked up: the geocoder knows names by language. */
export function languageOfName(name: string): string {
  return SCRIPTS.find(([script]) => script.test(name))?.[1] ?? 'en'
}
