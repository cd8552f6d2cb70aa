/** What a model said in a recorded reply, read as the agent read it. Which way of writing it is, the address tells. */

import type { Codec } from '../../agent/models/codec.ts'
import type { ChainLeg } from '../../capture/chain.ts'

export interface ModelWords {
  readonly text: string
  readonly reasoning: string
}

/** Undefined for a reply that is not there, was cut, or is of a kind that is not known: then there are only its bytes. */
export async function modelWords(legs: readonly ChainLeg[]): Promise<ModelWords | undefined> {
  const reply = legs.findLast(({ kind }) => kind === 'reply')
  const request = legs.findLast(
    ({ kind, attempt }) => kind === 'request' && attempt === reply?.attempt,
  )
  if (reply === undefined || request === undefined) return undefined
  const { url, model } = request.data
  const { contentType } = reply.data
  const codec = await codecOf(textOf(url), textOf(model))
  if (codec === undefined) return undefined
  const bytes = new TextEncoder().encode(reply.text)
  try {
    const reader = codec.reader({
      contentType: textOf(contentType).toLowerCase().split(';')[0]?.trim() ?? '',
      request: { messages: [], tools: [] },
      maxBytes: bytes.length,
    })
    reader.push(bytes)
    const { message } = reader.end()
    return { text: message.text, reasoning: message.reasoning ?? '' }
  } catch {
    return undefined // what cannot be read is shown as it came
  }
}

async function codecOf(url: string, model: string): Promise<Codec | undefined> {
  const path = url.split(/[?#]/)[0] ?? ''
  if (path.endsWith('/chat/completions')) {
    const [{ chatCodec }, { COMPATIBLE }] = await Promise.all([
      import('../../agent/models/chat-codec.ts'),
      import('../../agent/models/openai-chat.ts'),
    ])
    return chatCodec(COMPATIBLE, model)
  }
  if (path.endsWith('/responses'))
    return (await import('../../agent/models/responses-codec.ts')).responsesCodec(model)
  if (path.endsWith('/messages'))
    return (await import('../../agent/models/anthropic-codec.ts')).anthropicCodec(model)
  if (path.endsWith('/api/chat'))
    return (await import('../../agent/models/ollama-codec.ts')).ollamaCodec(model)
  return undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
