/**
 * Which of the places that a geocoder found was meant, and under which names to look for it.
 *
 * The order of the service stands, but for Chinese names: GeoNames files 北京 under 北京市, so a search for the
 * short form finds hamlets of that name and not the capital. Both forms are looked up, and the largest town wins.
 */

export interface Place {
  /** GeoNames' number, when there is one. */
  readonly id: number | undefined
  readonly name: string
  readonly region: string | undefined
  readonly country: string | undefined
  readonly latitude: number
  readonly longitude: number
  /** True for a town or village, false for a province, an airport, a mountain. */
  readonly isTown: boolean
  /** 0 when it is not known. */
  readonly population: number
}

/** Most namesakes that are told. */
const MAX_OTHERS = 5

/** Names with these endings are complete. Others are not to be told by their ending: 杭州, 青岛 and 景德镇 are cities. */
const COMPLETE = /[省县縣区區]$/u
const CHINESE_NAME = /^\p{Script=Han}{2,}$/u

/** The names to search for, at most two; the first is the one that was asked for. */
export function searchNames(city: string): readonly string[] {
  const { name, rest } = parts(city)
  const other = otherForm(name)
  return (other === undefined ? [name] : [name, other]).map((each) => each + rest)
}

/** Picks from what the searches found, their lists one after the other. Undefined when there is nothing to pick from. */
export function choosePlace(
  city: string,
  found: readonly Place[],
): { place: Place; others: readonly Place[] } | undefined {
  const places = distinct(found)
  const { name } = parts(city)
  const other = otherForm(name)
  const namesakes = places.filter((place) => place.name === name || place.name === other)
  const place = other !== undefined && namesakes.length > 0 ? largest(namesakes) : places[0]
  if (place === undefined) return undefined
  const others = places.filter(
    (each) => each !== place && (namesakes.includes(each) || each.name === place.name),
  )
  return { place, others: others.slice(0, MAX_OTHERS) }
}

/** Splits `Springfield, Illinois`; the service takes a region behind a comma, a Chinese one it would not know. */
function parts(city: string): { name: string; rest: string } {
  const plain = city.replaceAll('，', ',').trim()
  const comma = plain.indexOf(',')
  if (comma < 0) return { name: plain, rest: '' }
  return { name: plain.slice(0, comma).trim(), rest: plain.slice(comma) }
}

/** 北京 for 北京市 and the other way round; undefined for names that have one form only. */
function otherForm(name: string): string | undefined {
  if (!CHINESE_NAME.test(name) || COMPLETE.test(name)) return undefined
  if (!name.endsWith('市')) return `${name}市`
  return name.length > 2 ? name.slice(0, -1) : undefined
}

/** Towns before all else, then by population; of equals the first. */
function largest(places: readonly Place[]): Place | undefined {
  const weight = (place: Place): number => (place.isTown ? 1e12 : 0) + place.population
  return places.reduce<Place | undefined>(
    (best, place) => (best === undefined || weight(place) > weight(best) ? place : best),
    undefined,
  )
}

function distinct(places: readonly Place[]): readonly Place[] {
  const seen = new Set<number | string>()
  return places.filter((place) => {
    const key = place.id ?? `${place.latitude},${place.longitude}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
