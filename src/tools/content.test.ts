import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../base/json.ts'
import type { CallToolResult, ContentBlock } from '../protocol/types/tools.ts'
import { resultToText } from './content.ts'

const text = (said: string): ContentBlock => ({ type: 'text', text: said })
const image: ContentBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
const told = (structuredContent: JsonValue, ...content: ContentBlock[]): string =>
  resultToText({ content, structuredContent })

describe('structured content', () => {
  it.each<[string, JsonValue, ContentBlock[]]>([
    ['the same JSON', { a: [1, { b: null }], c: 'x' }, [text('{"c":"x", "a":[1,{"b":null}]}')]],
    ['the same JSON, beside other text', [1, 2], [text('Here you are:'), text('[1, 2]')]],
    ['the one string in it', { content: 'line 1\nline 2\n' }, [text('line 1\nline 2\n')]],
    ['the one number in it', { value: 161 }, [text('161')]],
    ['the one boolean in it', { done: false }, [text('false')]],
    ['the one string in it, over two blocks', { all: 'a\nb' }, [text('a'), text('b')]],
    ['the one string in it, beside an image', { caption: 'a cat' }, [image, text('a cat')]],
    ['the one string in it, which is empty', { content: '' }, [text('')]],
  ])('is not said again when the text is %s [TOOL-11]', (_, value, content) => {
    expect(told(value, ...content)).toBe(resultToText({ content }))
  })

  it.each<[string, JsonValue, ContentBlock[]]>([
    ['there is no text', { value: 161 }, []],
    ['there is no text, and the one string is empty', { content: '' }, []],
    ['the text is another', { value: 161 }, [text('162')]],
    ['the text says more', { value: 161 }, [text('= 161')]],
    ['the text has a line end more', { content: 'a' }, [text('a\n')]],
    ['there are two members', { value: 161, unit: 'm' }, [text('161')]],
    ['there is no member', {}, [text('')]],
    ['the member is null', { value: null }, [text('null')]],
    ['the member is a list', { content: ['a'] }, [text('a')]],
    ['the value is a list of one', ['a'], [text('a')]],
    ['only an image is there', { content: 'a cat' }, [image]],
    ['one of its values differs', { a: 1, b: 2 }, [text('{"a":1,"b":3}')]],
    ['it is null', null, [text('nothing')]],
  ])('stands behind the blocks as JSON when %s [TOOL-10]', (_, value, content) => {
    const lines = content.length === 0 ? '' : `${resultToText({ content })}\n`
    expect(told(value, ...content)).toBe(lines + JSON.stringify(value))
  })

  it('that a stranger made odd breaks nothing', () => {
    // What a peer may send in place of the types.
    const odd = JSON.parse(
      '{"content":[{"type":"text","text":7}],"structuredContent":{"__proto__":"x"}}',
    ) as CallToolResult
    expect(resultToText(odd)).toBe('\n{"__proto__":"x"}')
  })
})
