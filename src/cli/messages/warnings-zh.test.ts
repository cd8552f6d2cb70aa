import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentWarningKind } from '../../agent/events.ts'
import { LEFT_OUT_ZH, SCHEMA_ZH, SENTENCES_ZH, warningZh } from './warnings-zh.ts'

const sources = ['agent', 'schema/project'].flatMap((folder) => {
  const path = join(import.meta.dirname, '../..', folder)
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(path, name), 'utf8').replaceAll(/\$\{[^}]*\}/g, '*'))
})

describe('a warning in Chinese', () => {
  it('knows sentences that stand so in the code that warns', () => {
    const known = [...LEFT_OUT_ZH, ...SCHEMA_ZH, ...Object.values(SENTENCES_ZH).flat()].map(
      ([english]) => english,
    )
    const gone = known.filter((english) => !sources.some((source) => source.includes(english)))
    expect(gone).toEqual([])
    expect(known.length).toBeGreaterThan(10)
  })

  it.each<[AgentWarningKind, string, string]>([
    ['asked-again', 'English.', '模型把工具调用写成了文字，没有执行，再请求一次。'],
    ['dropped-part', 'English.', '模型不接受图片，已略去。'],
    [
      'repeated',
      'fs__read was called 3 times in the same way.',
      'fs__read 以同样的方式调用了 3 次。',
    ],
    [
      'left-out',
      'The tool fs__x is not offered to the model: The model takes at most 128 tools.',
      '工具 fs__x 没有提供给模型：模型最多接受 128 个工具。',
    ],
    [
      'left-out',
      'The tool e__big is not offered to the model: Its schema cannot be offered: it is longer than 64 KiB.',
      '工具 e__big 没有提供给模型：它的 schema 不能这样发送：它长于 64 KiB。',
    ],
    [
      'left-out',
      'The tool e__list is not offered to the model: Its schema cannot be offered: it wants array or null, and arguments are always an object.',
      '工具 e__list 没有提供给模型：它的 schema 不能这样发送：它要的是 array 或 null，而参数总是对象。',
    ],
    [
      'ignored-option',
      'The model "gpt-4.1" does not reason: the effort "high" was not sent.',
      '模型“gpt-4.1”不会思考，没有要求“high”。',
    ],
    [
      'odd-reply',
      'The reply ended with "a" and "b" and has no calls.',
      '回答以“a" and "b”结束，里面却没有调用。',
    ],
  ])('has no English behind it where it says all: %s', (kind, message, told) => {
    expect(warningZh(kind, message)).toBe(told)
  })

  it('has the words of a schema and of a system behind it as they came', () => {
    expect(
      warningZh(
        'not-strict',
        'The tools are not sent as strict because of fs__x. It is too large.',
      ),
    ).toBe('因为工具 fs__x，没有要求提供方强制模型遵守 schema（原文：It is too large.）。')
    expect(warningZh('result', 'ENOSPC: no space left')).toBe(
      '工具结果的全文没能保存。（原文：ENOSPC: no space left）',
    )
  })
})
