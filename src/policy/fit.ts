/**
 * Answers of a test that may be undecided, and how several are taken together. Undecided is an answer: `deny` counts it as a yes,
 * `allow` as a no.
 */

export type Fit = 'yes' | 'no' | 'unsure'

export function fitOf(fits: boolean): Fit {
  return fits ? 'yes' : 'no'
}

export function opposite(fit: Fit): Fit {
  return fit === 'unsure' ? fit : fitOf(fit === 'no')
}

/** All must fit. One that does not decides, however undecided others are. */
export function every(fits: Iterable<Fit>): Fit {
  let all: Fit = 'yes'
  for (const fit of fits) {
    if (fit === 'no') return 'no'
    if (fit === 'unsure') all = 'unsure'
  }
  return all
}

/** One must fit. */
export function some(fits: Iterable<Fit>): Fit {
  let any: Fit = 'no'
  for (const fit of fits) {
    if (fit === 'yes') return 'yes'
    if (fit === 'unsure') any = 'unsure'
  }
  return any
}

/** For a list in the place of one value: a clear answer only where all items give the same. No item, no fit. */
export function unanimous(fits: Iterable<Fit>): Fit {
  let common: Fit | undefined
  for (const fit of fits) {
    if (common !== undefined && fit !== common) return 'unsure'
    common = fit
  }
  return common ?? 'no'
}
