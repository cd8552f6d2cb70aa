import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOTE_REASONS_ZH, noteReasonZh } from './note-reasons-zh.ts'

const sources = ['jsonrpc', 'transport/http', 'protocol', 'client'].flatMap((folder) => {
  const path = join(import.meta.dirname, '../..', folder)
  return readdirSync(path)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8').replaceAll(/\$\{[^}]*\}/g, '*'))
})

describe('the reason of a remark in Chinese', () => {
  it('is known for sentences that stand so in the code that remarks', () => {
    const known = NOTE_REASONS_ZH.map(([english]) => english)
    expect(known.filter((one) => !sources.some((source) => source.includes(one)))).toEqual([])
  })

  it.each([
    ['nested deeper than 128 levels', '嵌套超过 128 层'],
    ['a message has the key "id" twice', '键 "id" 出现了两次'],
    ['a message has the key "name" twice in its params', '它的 params 里键 "name" 出现了两次'],
    [
      'x-mcp-header "a" stands where no single argument is',
      'x-mcp-header "a" 所在之处不是单个参数',
    ],
    ['two arguments name the header "a"', '两个参数都要用请求头 "a"'],
    ['something else', '原文：something else'],
  ])('is: %s', (english, chinese) => {
    expect(noteReasonZh(english)).toBe(chinese)
  })
})
