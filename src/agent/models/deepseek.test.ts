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
