/**
 * A page in a real browser uses the main door against servers of another origin: what CORS has to allow is judged by the browser
 * and not by us. Without a Chromium on this machine it says so and does nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearerTokens, defineTool, Server } from '../../src/index.ts'
import { serveHttp } from '../../src/node/index.ts'
import type { ServedHttp } from '../../src/node/index.ts'
import { findBrowser, scriptForPage, servePage } from '../support/browser.ts'
import type { PageServer } from '../support/browser.ts'
import type { PageReport } from '../support/page-main.ts'

const browser = findBrowser()
if (browser === undefined)
  console.log('no Chromium on this machine: a page in a browser is not tried')

function countingServer(): Server {
  const server = new Server({
    name: 'counting',
    version: '1.0.0',
    tools: [
      defineTool({
        name: 'count',
        input: { type: 'object', properties: { to: { type: 'integer' } }, required: ['to'] },
        run({ to }: { readonly to: number }, { progress }) {
          for (let at = 1; at <= to; at += 1) progress({ progress: at, total: to })
          return `counted to ${to}`
        },
      }),
      defineTool({
        name: 'grow',
        input: { type: 'object' },
        run() {
          server.tools.add(
            defineTool({ name: 'grown', input: { type: 'object' }, run: () => 'tall' }),
          )
          return 'grown'
        },
      }),
    ],
  })
  return server
}

describe.skipIf(browser === undefined)('a page in Chromium', () => {
  let page: PageServer
  let served: ServedHttp | undefined

  beforeAll(async () => {
    page = await servePage(await scriptForPage('test/support/page-main.ts'))
  })
  afterAll(async () => {
    await page[Symbol.asyncDispose]()
  })

  async function visit(
    query: Readonly<Record<string, string>>,
    options: Partial<Parameters<typeof serveHttp>[1]> = {},
  ): Promise<PageReport> {
    served = await serveHttp(countingServer(), { allowedOrigins: [page.origin], ...options })
    try {
      const report = await page.visit(browser ?? '', { url: served.url, ...query })
      return report as PageReport // what page-main.ts sends
    } finally {
      await served.close()
    }
  }

  it.each([
    ['modern', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ])('lists, calls with progress and listens in the %s era', async (era, revision) => {
    expect(await visit({ era })).toEqual({
      revision,
      tools: ['count', 'grow'],
      text: 'counted to 3',
      progress: [1, 2, 3],
      changed: true,
    })
  })

  it('sends a credential that the server asks for', async () => {
    const authenticate = bearerTokens({ 'page-token-0123456789': 'page' })
    const report = await visit({ token: 'page-token-0123456789' }, { authenticate })
    expect(report).toMatchObject({ text: 'counted to 3' })
  })

  it('is refused, as any page, by a server that does not name its origin [HTTP-03]', async () => {
    const report = await visit({}, { allowedOrigins: ['http://127.0.0.1:1'] })
    expect(report.error?.code).toMatch(/^DP_TRANSPORT_/)
  })
})
