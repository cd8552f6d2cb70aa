/** `run` with a server that runs its model itself: what it says of the window counts, by the built program. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AgentFolder } from '../support/agent-cli.ts'

// Each test starts several processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

let folder: AgentFolder
let server: Server
let url: string
/** Paths in order, and the requests to the model. */
let paths: string[]
let asked: { readonly options?: { readonly num_ctx?: number } }[]
/** What is said of models that are loaded: nothing until one was asked. */
let loaded: (wasAsked: boolean) => object
let counted: number

beforeEach(async () => {
  folder = new AgentFolder()
  folder.configure({})
  paths = []
  asked = []
  loaded = () => ({ models: [{ name: 'm', context_length: 8192 }] })
  counted = 10
  server = createServer((request, response) => {
    paths.push(request.url ?? '')
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => void (body += text))
    request.on('end', () => {
      const isChat = request.url === '/api/chat'
      if (isChat) asked.push(JSON.parse(body))
      const said = { message: { role: 'assistant', content: 'Hm.' }, done_reason: 'stop' }
      const reply = { ...said, done: true, prompt_eval_count: counted, eval_count: 3 }
      const answer = isChat ? reply : request.url === '/api/ps' ? loaded(asked.length > 0) : {}
      const type = isChat ? 'application/x-ndjson' : 'application/json'
      response.writeHead(200, { 'content-type': type }).end(`${JSON.stringify(answer)}\n`)
    })
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise<void>((settle) => server.close(() => settle()))
  await folder.end()
})

const run = (text: string, ...more: readonly string[]) =>
  folder.agent(
    ['run', '-', '--config', 'config.json', '--model', 'ollama:m', '--base-url', url, ...more],
    text,
  )

it('asks Ollama for the window once, and then for one of that size', async () => {
  const { stdout, stderr, code } = await run('Hello')
  expect([stdout, code]).toEqual(['Hm.\n', 0])
  expect(paths).toEqual(['/api/ps', '/api/chat'])
  expect(asked[0]?.options?.num_ctx).toBe(8192)
  expect(stderr).not.toContain('warning')
})

it('does not ask where the window is named', async () => {
  await run('Hello', '--context', '4096')
  expect(paths).toEqual(['/api/chat'])
  expect(asked[0]?.options?.num_ctx).toBe(4096)
})

it('tells of a prompt that was cut, though the window is known only afterwards', async () => {
  loaded = (wasAsked) => ({ models: wasAsked ? [{ name: 'm', context_length: 4096 }] : [] })
  counted = 2_050
  const { stderr, code } = await run('word '.repeat(6_000))
  expect(stderr).toMatch(/warning: The window of the model has 4096 tokens/)
  expect(code).toBe(0)
  const zh = await run('word '.repeat(6_000), '--lang', 'zh')
  expect(zh.stderr.replaceAll(/\n\s*/g, '')).toContain('其服务器略去了开头')
})
