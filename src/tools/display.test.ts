import { describe, expect, it } from 'vitest'
import type { Tool, ToolAnnotations } from '../protocol/types/tools.ts'
import { displayName, hintsOf } from './display.ts'

const bare: Tool = { name: 'rm', inputSchema: { type: 'object' } }
const hints = (annotations: ToolAnnotations): unknown => hintsOf({ annotations })

describe('hints', () => {
  const worst = { readOnly: false, destructive: true, idempotent: false, openWorld: true }

  it('that are absent count as the worst there can be [TOOL-19]', () => {
    expect(hintsOf(bare)).toEqual(worst)
    expect(hints({})).toEqual(worst)
    expect(hints({ title: 'Remove' })).toEqual(worst)
  })

  it('count one by one as they are given [TOOL-19]', () => {
    expect(hints({ destructiveHint: false })).toEqual({ ...worst, destructive: false })
    expect(hints({ idempotentHint: true })).toEqual({ ...worst, idempotent: true })
    expect(hints({ openWorldHint: false })).toEqual({ ...worst, openWorld: false })
  })

  it('about destroying and repeating say nothing of a tool that only reads [TOOL-19]', () => {
    const reading = { readOnly: true, destructive: false, idempotent: true, openWorld: true }
    expect(hints({ readOnlyHint: true })).toEqual(reading)
    expect(hints({ readOnlyHint: true, destructiveHint: true, idempotentHint: false })).toEqual(
      reading,
    )
  })

  it('of another type count as absent', () => {
    const text =
      '{"readOnlyHint":"true","destructiveHint":0,"idempotentHint":1,"openWorldHint":null}'
    // What a peer may send in place of the types.
    expect(hints(JSON.parse(text) as ToolAnnotations)).toEqual(worst)
  })
})

describe('the name to show', () => {
  it('is the title, else the one among the annotations, else the name [TOOL-20]', () => {
    const annotations = { title: 'Remove files' }
    expect(displayName({ ...bare, title: 'Remove', annotations })).toBe('Remove')
    expect(displayName({ ...bare, annotations })).toBe('Remove files')
    expect(displayName(bare)).toBe('rm')
  })

  it('is no blank, and nothing but text', () => {
    expect(displayName({ ...bare, title: ' ', annotations: { title: '' } })).toBe('rm')
    const odd = JSON.parse('{"name":"rm","inputSchema":{},"annotations":{"title":{}}}') as Tool // a peer's
    expect(displayName(odd)).toBe('rm')
  })
})
