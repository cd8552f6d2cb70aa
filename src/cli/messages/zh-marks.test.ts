/** The Chinese catalogues as text: wide marks, and one word for one thing. Strings stand in the source as they are shown. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const files = readdirSync(import.meta.dirname).filter((name) => /(?:^|-)zh\.ts$/.test(name))
/** What is typed as it stands. */
const TYPED = ['名称:=JSON', '名称: 值', '级别,模块=级别']
/** Lines of the demo that say, mark for mark, what other programs print that do the same; all else in it has wide marks. */
const QUOTED = ['握手成功，Server: ', '个工具:', '可用工具: ', '读取结果前100字符: ']

interface Line {
  readonly place: string
  readonly text: string
}

const lines: readonly Line[] = files.flatMap((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .map((line, at) => ({
      place: `${file}:${at + 1}`,
      text: [...TYPED, ...QUOTED].reduce((text, one) => text.replaceAll(one, 'x'), line),
    }))
    .filter(({ text }) => !text.startsWith('/*') && /\p{Script=Han}/u.test(text)),
)
const having = (pattern: RegExp): readonly string[] =>
  lines.filter(({ text }) => pattern.test(text)).map(({ place, text }) => `${place} ${text.trim()}`)

describe('Chinese', () => {
  it('is found in every catalogue', () => {
    expect(files).toContain('zh.ts')
    expect(files.length).toBeGreaterThan(8)
    expect(lines.length).toBeGreaterThan(300)
  })

  it('has wide marks behind its characters', () => {
    expect(having(/\p{Script=Han}(?:[.,:;!?(]| [,:;!?(]| \.(?!\w))/u)).toEqual([])
    expect(having(/[}”] ?[(]/u)).toEqual([])
  })

  it('has wide brackets before its characters', () => {
    expect(having(/\) ?\p{Script=Han}/u)).toEqual([])
  })

  it('has no blank beside a wide mark', () => {
    expect(having(/[，。：；！？、（] | [，。：；！？、）]/u)).toEqual([])
  })

  it('has no blank between its characters and a quotation mark', () => {
    expect(having(/\p{Script=Han} “|” \p{Script=Han}/u)).toEqual([])
  })

  it('calls a server 服务器 and a host 宿主', () => {
    expect(having(/(?<![-\w${.])(?:Server|Host)s?(?![-\w(:])/u)).toEqual([])
  })
})
