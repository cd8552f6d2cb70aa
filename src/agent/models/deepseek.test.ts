import { describe, expect, it } from 'vitest'
import { deepseekCodec, deepseekTraits } from './deepseek.ts'

describe('DeepSeek', () => {
  it.each([
    ['deepseek-flash', true],
    ['DeepSeek-V4.1-Flash-1017', true],
    ['deepseek-v4-flash-vision-exp', true],
    ['deepseek-v4-flash', false],
    ['deepseek-v4-pro', false],
    ['a-model-of-tomorrow', false],
  ])('gives %s images: %s', (model, images) => {
    expect(deepseekTraits(model)).toMatchObject({ images, resultImages: false, maxTools: 128 })
    const { body } = deepseekCodec(model).encode({
      messages: [{ role: 'user', parts: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }],
      tools: [],
    })
    expect(JSON.stringify(body).includes('image_url')).toBe(images)
    expect(body['model']).toBe(model)
  })
})

describe('strict tools of DeepSeek', () => {
  const parameters = { type: 'object', properties: {}, additionalProperties: false }
  const encoded = (strict: boolean, baseUrl?: string) =>
    deepseekCodec('m', {}, baseUrl).encode({
      messages: [],
      tools: [{ name: 't', parameters, ...(strict && { strict }) }],
    })

  it.each([undefined, 'https://api.deepseek.com', 'https://api.deepseek.com/'])(
    'are asked for where they are heeded, below /beta (%s)',
    (baseUrl) => {
      expect(encoded(true, baseUrl)).toMatchObject({ path: '/beta/chat/completions', warnings: [] })
      expect(encoded(false, baseUrl)).toMatchObject({ path: '/chat/completions', warnings: [] })
    },
  )

  it.each(['https://api.deepseek.com/beta', 'http://127.0.0.1:9/beta/'])(
    'need no other place at %s',
    (baseUrl) => {
      expect(encoded(true, baseUrl)).toMatchObject({ path: '/chat/completions', warnings: [] })
    },
  )

  it.each(['https://api.deepseek.com/v1', 'http://127.0.0.1:9/v1', 'no address'])(
    'may be heeded by nobody at %s, and that is told',
    (baseUrl) => {
      const { path, warnings } = encoded(true, baseUrl)
      expect(path).toBe('/chat/completions')
      expect(warnings).toEqual([
        { kind: 'ignored-option', message: expect.stringContaining('/beta') },
      ])
      expect(encoded(false, baseUrl).warnings).toEqual([])
    },
  )
})
