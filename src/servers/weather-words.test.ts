/**
 * Weather codes in words, and the language that a name is written in.
 */
import { expect, it } from 'vitest'
import { languageOfName, WEATHER_CODES, weatherInWords } from './weather-words.ts'

it('has words in both languages for each code that Open-Meteo documents', () => {
  const documented = [
    0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86,
    95, 96, 99,
  ]
  expect(WEATHER_CODES).toEqual(documented)
  for (const language of ['en', 'zh'] as const) {
    const words = documented.map((code) => weatherInWords(code, language))
    expect(new Set(words).size).toBe(documented.length)
  }
  expect(weatherInWords(0, 'zh')).toBe('晴')
  expect(weatherInWords(65, 'en')).toBe('heavy rain')
})

it('names an unknown code by its number', () => {
  expect(weatherInWords(42, 'en')).toBe('unknown weather (code 42)')
  expect(weatherInWords(42, 'zh')).toBe('未知天气（代码 42）')
})

it('tells the language of a name by its script', () => {
  const names = {
    北京: 'zh',
    さいたま: 'ja',
    東京タワー: 'ja',
    서울: 'ko',
    Москва: 'ru',
    القاهرة: 'ar',
    Zürich: 'en',
    '': 'en',
  }
  for (const [name, language] of Object.entries(names)) expect(languageOfName(name)).toBe(language)
})
