/**
 * Which place is chosen among those that a geocoder finds.
 */
import { describe, expect, it } from 'vitest'
import { choosePlace, searchNames } from './place.ts'
import type { Place } from './place.ts'

let ids = 0

function place(name: string, facts: Partial<Place> = {}): Place {
  ids += 1
  const nowhere = { region: undefined, country: undefined, latitude: 0, longitude: 0 }
  return { id: ids, name, isTown: true, population: 0, ...nowhere, ...facts }
}

describe('names to search for', () => {
  it('searches a Chinese name in both of its forms, the written one first', () => {
    expect(searchNames('北京')).toEqual(['北京', '北京市'])
    expect(searchNames('北京市')).toEqual(['北京市', '北京'])
    expect(searchNames('景德镇')).toEqual(['景德镇', '景德镇市'])
  })

  it('searches a complete Chinese name and any other name once', () => {
    for (const city of [
      '吉林省',
      '忠县',
      '朝阳区',
      '津市',
      'Berlin',
      'Москва',
      '東京タワー',
      '京',
      '10115',
    ]) {
      expect(searchNames(city)).toEqual([city])
    }
  })

  it('keeps a region behind a comma, also a Chinese comma', () => {
    expect(searchNames('Springfield, Illinois')).toEqual(['Springfield, Illinois'])
    expect(searchNames('北京，重庆市')).toEqual(['北京,重庆市', '北京市,重庆市'])
  })
})

describe('the place that was meant', () => {
  it('is the first one found, with the namesakes behind it', () => {
    const [first, far, near] = [place('Berlin'), place('Berlin'), place('East Berlin')]
    expect(choosePlace('berlin', [first, far, near])).toEqual({ place: first, others: [far] })
  })

  it('is the largest town of a Chinese name, not the first hamlet', () => {
    const hamlet = place('北京', { region: '重庆市' })
    const capital = place('北京市', { population: 18_960_744 })
    expect(choosePlace('北京', [hamlet, capital])).toEqual({ place: capital, others: [hamlet] })
  })

  it('is a town before a province of the same name', () => {
    const province = place('吉林', { isTown: false, population: 27_000_000 })
    const town = place('吉林市', { population: 1_881_977 })
    expect(choosePlace('吉林', [province, town])?.place).toBe(town)
  })

  it('is the first found when no Chinese name is the same', () => {
    const first = place('台北')
    expect(choosePlace('臺北', [first, place('台北县')])?.place).toBe(first)
  })

  it('is told once when both searches find it', () => {
    const town = place('西安市')
    expect(choosePlace('西安', [town, { ...town }])).toEqual({ place: town, others: [] })
  })

  it('is nobody when nothing was found', () => {
    expect(choosePlace('Nowhere', [])).toBeUndefined()
  })

  it('comes with five namesakes at most', () => {
    const found = Array.from({ length: 20 }, () => place('Springfield'))
    expect(choosePlace('Springfield', found)?.others).toHaveLength(5)
  })
})
