import { describe, expect, it } from 'vitest'
import { percentReadings } from './percent.ts'

describe('the readings of a text', () => {
  it.each([
    ['plain', ['plain']],
    ['100% sure', ['100% sure']],
    ['%73ecret', ['%73ecret', 'secret']],
    ['%E5%9B%BE', ['%E5%9B%BE', '图']],
    ['a%2fb%zz', ['a%2fb%zz', 'a/b%zz']],
    ['%ff', ['%ff', '\ufffd']],
    ['%2573', ['%2573', '%73', 's']],
    ['%EF%BB%BFa', ['%EF%BB%BFa', '\ufeffa']],
  ])('%j are %j', (text, readings) => {
    expect(percentReadings(text)).toEqual(readings)
  })

  it('are four at most, however often it was encoded', () => {
    expect(percentReadings(`%${'25'.repeat(1_000)}73`)).toHaveLength(4)
  })

  it('of a megabyte of octets are there at once', () => {
    expect(percentReadings('%61'.repeat(350_000))[1]).toHaveLength(350_000)
  })
})
