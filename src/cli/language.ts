/** Which language to speak: by option, else by the locale of the environment. Pure; the catalogues are loaded elsewhere. */

import { UsageError } from '../base/errors.ts'
import type { Language, Messages } from './messages/messages.ts'

/** Variables that name a locale, the strongest first. */
const VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG', 'LANGUAGE'] as const

export interface LanguageWish {
  /** The words before `--`, as typed. */
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The system's locale, where no variable names one, as on Windows. */
  readonly systemLocale?: () => string
}

/** The value of `--lang`, if it was given; found before the options are parsed, as their help depends on it. */
function languageOption(words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => word === '--lang' || word.startsWith('--lang='))
  const word = words[at]
  if (word === undefined) return undefined
  return word === '--lang' ? words[at + 1] : word.slice('--lang='.length)
}

/** The language of a wish. An option that names none of ours is left to `checkLanguage`, and means English until then. */
export function chooseLanguage({ words, env, systemLocale }: LanguageWish): Language {
  const option = languageOption(words)
  if (option !== undefined) return languageOf(option)
  for (const name of VARIABLES) {
    const value = env[name]
    if (value !== undefined && value !== '') return languageOf(value)
  }
  return languageOf(systemLocale?.() ?? '')
}

/** Throws when `--lang` names a language that there is not. */
export function checkLanguage(value: string, messages: Messages): Language {
  if (value === 'en' || value === 'zh') return value
  throw new UsageError(messages.faults.badLanguage(value))
}

/** `zh_CN.UTF-8`, `zh-Hant`, `zh:en` are Chinese, everything else is English. */
function languageOf(locale: string): Language {
  return /^zh(?:[-_.:@]|$)/i.test(locale) ? 'zh' : 'en'
}
