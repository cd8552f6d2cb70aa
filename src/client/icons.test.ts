import { describe, expect, it } from 'vitest'
import { safeIcons } from './icons.ts'

const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
const kept = (sources: readonly unknown[], serverUrl?: string): unknown[] =>
  safeIcons(
    sources.map((src) => ({ src })),
    serverUrl,
  ).map(({ src }) => src)

describe('icons that may be shown', () => {
  it('are PNG, JPEG, WebP, GIF and SVG from https, and pixels in data URLs [ICON-01, ICON-02]', () => {
    const types = [
      'image/png',
      'image/jpeg',
      'image/jpg',
      'image/webp',
      'image/gif',
      'image/svg+xml',
    ]
    const icons = types.map((mimeType) => ({
      src: 'https://a.example/i',
      mimeType,
      sizes: ['any'],
    }))
    expect(safeIcons(icons)).toEqual(icons)
    const data = [
      PNG,
      'data:image/jpeg;base64,/9j/4AAQSkZJRg==',
      'data:image/webp;base64,UklGRiIAAABXRUJQ',
      'DATA:image/GIF;base64,R0lGODlhAQABAAAAACw=',
    ]
    expect(kept(data)).toEqual(data)
  })

  it.each([
    'http://a.example/i.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'ftp://a.example/i.png',
    'blob:https://a.example/1',
    'data:text/html;base64,iVBORw0KGgo=',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/svg+xml,<svg onload="alert(1)">',
    'data:image/png,iVBORw0KGgo',
    'data:image/png;charset=x;base64,iVBORw0KGgo=',
    'data:,',
    'data:',
    '//a.example/i.png',
    '/i.png',
    '',
    'https://',
    'https://user:secret@a.example/i.png',
  ])('never come from %j [ICON-03]', (src) => {
    expect(kept([src])).toEqual([])
  })

  it('are what they say they are, by their first bytes [ICON-04]', () => {
    expect(
      kept(['data:image/png;base64,PHN2Zz48c2NyaXB0Pg==', PNG.replace('png', 'jpeg')]),
    ).toEqual([])
    expect(safeIcons([{ src: 'https://a.example/i', mimeType: 'text/html' }])).toEqual([])
    expect(safeIcons([{ src: 'https://a.example/i', mimeType: 5 }])).toEqual([])
  })

  it('come from where the server is, when that is known [ICON-04]', () => {
    const sources = [
      'https://a.example/i.png',
      'https://a.example:444/i.png',
      'https://b.example/i.png',
      'https://a.example.evil.example/i.png',
      PNG,
    ]
    expect(kept(sources)).toEqual(sources)
    expect(kept(sources, 'https://a.example/mcp')).toEqual([sources[0], PNG])
    expect(kept(sources, 'http://a.example/mcp')).toEqual([PNG])
    expect(kept(sources, 'no url')).toEqual([PNG])
  })

  it('are not many and not large [ICON-04]', () => {
    const icon = { src: PNG }
    expect(safeIcons(Array.from({ length: 1000 }, () => icon))).toHaveLength(32)
    expect(kept([PNG + 'A'.repeat(300_000), `https://a.example/${'a'.repeat(3000)}`])).toEqual([])
  })

  it('are none where a server sends something else', () => {
    for (const odd of [undefined, null, 'x', 5, {}, { length: 1, 0: { src: PNG } }])
      expect(safeIcons(odd)).toEqual([])
    expect(safeIcons([null, 5, 'x', [], {}, { src: 5 }, { src: null }])).toEqual([])
  })
})
