import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import { breakText } from './break-text.ts'

describe('broken text', () => {
  it('is whole again when its lines are joined, and no line is wider than it may be', () => {
    const texts = [
      'a'.repeat(100),
      '你好，世界'.repeat(20),
      `a你${'e\u0301'.repeat(30)}👩‍👩‍👧`,
      '',
      'ab',
    ]
    for (const text of texts)
      for (const columns of [2, 3, 7, 80]) {
        const lines = breakText(text, columns)
        expect(lines.join('')).toBe(text)
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns)
      }
  })

  it('keeps a character whole that is wider than a line', () => {
    expect(breakText('你好', 1)).toEqual(['你', '好'])
  })
})
