import { expect, it } from 'vitest'
import { exchangeContract } from '../../../test/support/http/exchange-contract.ts'
import { begin, make } from '../../../test/support/http/watched-sink.ts'
import { fetchExchange } from './fetch-exchange.ts'

exchangeContract('fetch', () => fetchExchange())

/** A `fetch` that remembers how it was called and answers with a response. */
function fakeFetch(answer: () => Promise<Response>): {
  readonly fetch: typeof fetch
  readonly calls: { url: unknown; init: RequestInit | undefined }[]
} {
  const calls: { url: unknown; init: RequestInit | undefined }[] = []
  return {
    calls,
    fetch: (url, init) => {
      calls.push({ url, init })
      return answer()
    },
  }
}

it('sends no cookies, tells nobody where it came from, and follows nothing by itself', async () => {
  const { fetch, calls } = fakeFetch(() => Promise.resolve(new Response('x')))
  await make(fetchExchange(fetch), 'https://a.test/mcp')
  expect(calls[0]?.init).toMatchObject({
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  })
})

it('says that a browser hides where a redirect leads', async () => {
  const response = new Response(null)
  Object.defineProperty(response, 'type', { value: 'opaqueredirect' })
  const { fetch } = fakeFetch(() => Promise.resolve(response))
  const { error } = await make(fetchExchange(fetch), 'https://a.test/mcp')
  expect(error).toMatchObject({ code: 'DP_TRANSPORT_ORIGIN' })
})

it('does not claim to know whether it was sent when a browser does not say why it failed', async () => {
  const { fetch } = fakeFetch(() => Promise.reject(new TypeError('Failed to fetch')))
  const { error } = await make(fetchExchange(fetch), 'https://a.test/mcp')
  expect(error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'maybe' })
  expect(error?.message).toContain('Failed to fetch')
})

it('tells of a fetch that throws', async () => {
  const { error } = await make(
    fetchExchange(() => {
      throw new TypeError('no such thing')
    }),
    'https://a.test/mcp',
  )
  expect(error?.message).toContain('no such thing')
})

it('takes the fetch of the platform at the moment of the request', async () => {
  const { fetch, calls } = fakeFetch(() => Promise.resolve(new Response('x')))
  const exchange = fetchExchange()
  const before = globalThis.fetch
  globalThis.fetch = fetch
  try {
    const sink = begin(exchange, 'https://a.test/mcp')
    await sink.until(() => sink.over)
  } finally {
    globalThis.fetch = before
  }
  expect(calls).toHaveLength(1)
})
