import { describe, expect, it } from 'vitest'
import { CONSOLE_WORDS } from '../capture/console-words.ts'
import { chooseLanguage, checkLanguage } from './language.ts'
import { agentEn } from './messages/agent-en.ts'
import { agentZh } from './messages/agent-zh.ts'
import { configEn } from './messages/config-en.ts'
import { configZh } from './messages/config-zh.ts'
import { en } from './messages/en.ts'
import { hostEn } from './messages/host-en.ts'
import { hostZh } from './messages/host-zh.ts'
import { OUTCOMES_EN, OUTCOMES_ZH } from './messages/outcome-words.ts'
import { offerEn } from './messages/offer-en.ts'
import { offerZh } from './messages/offer-zh.ts'
import { whyEn } from './messages/why-en.ts'
import { whyZh } from './messages/why-zh.ts'
import { zh } from './messages/zh.ts'
import { similarNames } from './similar.ts'
import { fitText, wrapText } from './wrap-text.ts'
import { displayWidth } from '../base/terminal-text.ts'

describe('the language', () => {
  it('is that of the option before that of the environment', () => {
    const env = { LC_ALL: 'zh_CN.UTF-8' }
    expect(chooseLanguage({ words: ['tools', '--lang', 'en'], env })).toBe('en')
    expect(chooseLanguage({ words: ['--lang=zh'], env: {} })).toBe('zh')
  })

  it('is that of the first variable that is set', () => {
    const of = (env: Record<string, string>) => chooseLanguage({ words: [], env })
    expect(of({ LC_ALL: 'C.UTF-8', LANG: 'zh_CN.UTF-8' })).toBe('en')
    expect(of({ LC_ALL: '', LC_MESSAGES: 'zh_TW', LANG: 'en_US' })).toBe('zh')
    expect(of({ LANG: 'zh-Hans' })).toBe('zh')
    expect(of({ LANGUAGE: 'zh:en' })).toBe('zh')
    expect(of({ LANG: 'zha' })).toBe('en')
    expect(of({})).toBe('en')
  })

  it('is that of the system where no variable is set', () => {
    expect(chooseLanguage({ words: [], env: {}, systemLocale: () => 'zh-CN' })).toBe('zh')
  })

  it('cannot be one that there is not', () => {
    expect(() => checkLanguage('fr', en)).toThrow('--lang cannot be "fr". Use en or zh.')
  })
})

describe('what became of a call', () => {
  it.each([
    ['en', OUTCOMES_EN, whyEn],
    ['zh', OUTCOMES_ZH, whyZh],
  ] as const)(
    'is said in the same words in a chat, by why and in a recorded wire: %s',
    (language, outcomes, why) => {
      const { ok, failed, refused, allowed } = CONSOLE_WORDS[language]
      expect({ ok, failed, refused }).toEqual({
        ok: outcomes.ok,
        failed: outcomes.failed,
        refused: outcomes.refused,
      })
      const verdicts = [why.verdicts.allow, why.verdicts.deny].map((word) => word.toLowerCase())
      expect([allowed, refused]).toEqual(verdicts)
    },
  )
})

describe('the catalogues', () => {
  it('say every thing in both languages, with text in each', () => {
    const keysOf = (value: object, path: string): string[] =>
      Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
        typeof inner === 'object' && inner !== null
          ? keysOf(inner, `${path}${key}.`)
          : [path + key],
      )
    expect(keysOf(zh, '')).toEqual(keysOf(en, ''))
    expect(keysOf(configZh, '')).toEqual(keysOf(configEn, ''))
    expect(keysOf(hostZh, '')).toEqual(keysOf(hostEn, ''))
    expect(keysOf(agentZh, '')).toEqual(keysOf(agentEn, ''))
    expect(keysOf(whyZh, '')).toEqual(keysOf(whyEn, ''))
    expect(keysOf(offerZh, '')).toEqual(keysOf(offerEn, ''))
    const empty = (value: object): boolean =>
      Object.values(value).some((inner: unknown) =>
        typeof inner === 'object' && inner !== null ? empty(inner) : inner === '',
      )
    expect(
      [
        en,
        zh,
        configEn,
        configZh,
        hostEn,
        hostZh,
        agentEn,
        agentZh,
        whyEn,
        whyZh,
        offerEn,
        offerZh,
      ].map(empty),
    ).not.toContain(true)
  })
})

describe('similar names', () => {
  it('are those with few differences, nearest first', () => {
    expect(similarNames('raed_file', ['red_files', 'list', 'read_file'])).toEqual([
      'read_file',
      'red_files',
    ])
    expect(similarNames('read', ['read_file', 'read_text_file', 'list'])).toHaveLength(2)
  })

  it('are none when nothing is near', () => {
    expect(similarNames('calculator', ['weather', 'echo', ''])).toEqual([])
  })

  it('take no longer for long lists of long names', () => {
    const all = Array.from({ length: 10_000 }, (_, at) => `${'x'.repeat(5000)}${at}`)
    expect(similarNames('y'.repeat(5000), all)).toEqual([])
  })
})

describe('wrapped text', () => {
  it('breaks between words', () => {
    expect(wrapText('one two three', 8)).toBe('one two\nthree')
  })

  it('breaks Chinese anywhere but before a closing mark', () => {
    const wrapped = wrapText('列出并调用工具，查看线上的每条消息。', 15)
    expect(wrapped.split('\n').every((line) => displayWidth(line) <= 16)).toBe(true)
    expect(wrapped).not.toMatch(/\n[，。]/)
    expect(wrapped.replaceAll('\n', '')).toBe('列出并调用工具，查看线上的每条消息。')
  })

  it('ends no line with an opening mark, whatever stands behind it', () => {
    expect(wrapText('例如“review”、“hello”', 8)).toBe('例如\n“review”、\n“hello”')
    expect(wrapText('看《红楼梦》（一）', 6)).toBe('看《红\n楼梦》\n（一）')
    expect(wrapText('end “', 4)).toBe('end\n“')
  })

  it('leaves a word whole that is longer than a line', () => {
    expect(wrapText('a veryveryverylongword b', 6)).toBe('a\nveryveryverylongword\nb')
  })

  it('cuts a word that is longer than a line where that must fit, and goes on behind its end', () => {
    expect(fitText('a veryverylongword of it', 6)).toEqual([
      'a',
      'veryve',
      'rylong',
      'word',
      'of it',
    ])
    expect(fitText('{"name":"x","text":"some words"}', 10)).toEqual([
      '{"name":"x',
      '","text":"',
      'some',
      'words"}',
    ])
    expect(fitText('路径/usr/local/bin/a-name 在这里', 12)).toEqual([
      '路径',
      '/usr/local/b',
      'in/a-name 在',
      '这里',
    ])
    expect(fitText('', 5)).toEqual([''])
  })
})
