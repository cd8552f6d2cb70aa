import { describe, expect, it } from 'vitest'
import { hintsOf } from '../tools/display.ts'
import {
  afterResult,
  flowOf,
  isToldOf,
  MAX_SOURCES,
  NO_FLOW,
  type FlowState,
  type FlowSubject,
} from './flow.ts'

const subject = (changes: Partial<FlowSubject> = {}): FlowSubject => ({
  server: 'mail',
  alias: 'mail__send',
  hints: undefined,
  trusted: false,
  labels: ['external-sink'],
  ...changes,
})
const read = (alias: string, state: FlowState = NO_FLOW): FlowState =>
  afterResult(state, { alias, labels: ['untrusted-content'] })
const harmless = hintsOf({ annotations: { readOnlyHint: true, openWorldHint: false } })

describe('what a session has read', () => {
  it('grows by tools with a label, each once', () => {
    const once = read('web__get')
    expect(once).toEqual({ untrusted: ['web__get'], private: [], more: 0 })
    expect(read('web__get', once)).toBe(once)
    expect(afterResult(once, { alias: 'calc__add', labels: [] })).toBe(once)
  })

  it('tells private data from untrusted content', () => {
    const both = afterResult(NO_FLOW, {
      alias: 'mail__read',
      labels: ['private-data', 'untrusted-content'],
    })
    expect(both).toEqual({ untrusted: ['mail__read'], private: ['mail__read'], more: 0 })
  })

  it('names sources up to a bound and counts the others', () => {
    let state: FlowState = NO_FLOW
    for (let index = 0; index < MAX_SOURCES + 3; index += 1) {
      const labels = ['untrusted-content', 'private-data'] as const
      state = afterResult(state, { alias: `s${index}`, labels })
    }
    expect([state.untrusted.length, state.private.length, state.more]).toEqual([
      MAX_SOURCES,
      MAX_SOURCES,
      3,
    ])
  })

  it('does not change what was handed out', () => {
    const before = read('web__get')
    read('wiki__read', before)
    expect(before.untrusted).toEqual(['web__get'])
  })
})

describe('a call after untrusted content', () => {
  it('is a flow when the tool is a sink, and names both ends', () => {
    expect(flowOf(read('web__get'), subject())).toEqual({
      source: 'web__get',
      sink: 'mail__send',
      sources: ['web__get'],
      private: false,
    })
  })

  it('is a flow for a tool that reads and lets out alike', () => {
    expect(flowOf(read('mail__send'), subject())?.sink).toBe('mail__send')
  })

  it.each<[string, Partial<FlowSubject>]>([
    ['without labels', { labels: [] }],
    [
      'without labels that says it is harmless, but is not trusted',
      { labels: [], hints: harmless },
    ],
    ['without labels, trusted, that says nothing', { labels: [], trusted: true }],
    [
      'without labels, trusted, that reads from the web',
      { labels: [], trusted: true, hints: hintsOf({ annotations: { readOnlyHint: true } }) },
    ],
    [
      'without labels, trusted, that writes',
      { labels: [], trusted: true, hints: hintsOf({ annotations: { openWorldHint: false } }) },
    ],
    ['with a label that a trusted server denies', { trusted: true, hints: harmless }],
    ['that is native and has the label', { server: undefined }],
  ])('is a flow for a tool %s', (_, changes) => {
    expect(flowOf(read('web__get'), subject(changes))).toBeDefined()
  })

  it.each<[string, Partial<FlowSubject>]>([
    ['whose labels say that it is something else', { labels: ['private-data'] }],
    [
      'without labels that is harmless by a trusted word',
      { labels: [], trusted: true, hints: harmless },
    ],
    ['that is native and has no label', { server: undefined, labels: [] }],
  ])('is no flow for a tool %s', (_, changes) => {
    expect(flowOf(read('web__get'), subject(changes))).toBeUndefined()
  })

  it('is no flow before', () => {
    expect(flowOf(NO_FLOW, subject())).toBeUndefined()
    const state = afterResult(NO_FLOW, { alias: 'mail__read', labels: ['private-data'] })
    expect(flowOf(state, subject())).toBeUndefined()
  })

  it('says whether private data was read as well', () => {
    const state = afterResult(read('web__get'), { alias: 'crm__get', labels: ['private-data'] })
    expect(flowOf(state, subject())?.private).toBe(true)
  })

  it('names the last sources first and counts the rest', () => {
    const state = ['a__x', 'b__x', 'c__x', 'd__x', 'e__x'].reduce<FlowState>(
      (before, alias) => read(alias, before),
      NO_FLOW,
    )
    expect(flowOf(state, subject())?.source).toBe('e__x, d__x, c__x and 2 more')
  })
})

describe('what a person was told of', () => {
  it('covers a session that read no more than that', () => {
    expect(isToldOf(read('a__x'), ['b__x', 'a__x'])).toBe(true)
    expect(isToldOf(read('c__x', read('a__x')), ['a__x'])).toBe(false)
    expect(isToldOf(read('a__x'), undefined)).toBe(false)
  })

  it('never covers sources that are only counted', () => {
    expect(isToldOf({ untrusted: ['a__x'], private: [], more: 1 }, ['a__x'])).toBe(false)
  })
})
