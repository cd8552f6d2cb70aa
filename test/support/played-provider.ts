/**
 * A provider of a model on a local port that plays a part: it speaks Chat Completions as event streams, says what it was told to
 * say, and keeps every request. It is slow where a part says so: it waits in the midst of a reply until it is let go on.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One reply. */
export interface PlayedReply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly args: object | string }[]
  /** Default `tool_calls` with calls, else `stop`. */
  readonly finish?: string
  /** Pieces of the text, in characters. Default 5. */
  readonly chunk?: number
  /** Stops in the midst of the text until `goOn`, or until the client goes away. */
  readonly pauses?: boolean
  /** The answer is over behind the text, without its end: closed as usual, or the connection is cut. */
  readonly stops?: 'closed' | 'cut'
  /** Answers with this status and body instead. */
  readonly failure?: { readonly status: number; readonly body: object }
}

/** What was asked: the messages as they were sent. */
export interface PlayedRequest {
  readonly model: string
  readonly messages: readonly PlayedMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly stream?: boolean
  readonly headers: IncomingMessage['headers']
}

export interface PlayedMessage {
  readonly role: string
  readonly content: string
  readonly reasoning_content?: string
  readonly tool_call_id?: string
}

export class PlayedProvider {
  readonly requests: PlayedRequest[] = []
  /** Requests whose client went away before the end of the answer. */
  broken = 0
  /** Whether it has no list of models. */
  listless = false
  /** Of its endpoint; still known when it is closed. */
  readonly url: string
  readonly #server: Server
  readonly #replies: PlayedReply[]
  #goOn: (() => void) | undefined
  #calls = 0

  private constructor(server: Server, replies: readonly PlayedReply[]) {
    const { port } = server.address() as AddressInfo // it listens on a port
    this.url = `http://127.0.0.1:${port}/v1`
    this.#replies = [...replies]
    this.#server = server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async open(replies: readonly PlayedReply[], port = 0): Promise<PlayedProvider> {
    const server = createServer()
    await new Promise<void>((settle) => server.listen(port, '127.0.0.1', settle))
    return new PlayedProvider(server, replies)
  }

  /** Lets a reply that pauses go on. */
  goOn(): void {
    this.#goOn?.()
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((settle) => this.#server.close(() => settle()))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => void (response.writableEnded || (this.broken += 1)))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // a request without encoding gives these
    if (request.method === 'GET') {
      if (this.listless) return void response.writeHead(404).end('page not found')
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'played-1' }, { id: 'played-2' }] }),
      )
      return
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as PlayedRequest // what a test sent
    this.requests.push({ ...body, headers: request.headers })
    const reply = this.#replies.shift() ?? { text: 'There is nothing more in this part.' }
    if (reply.failure !== undefined) {
      response.writeHead(reply.failure.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(reply.failure.body))
      return
    }
    await this.#play(reply, response)
  }

  async #play(reply: PlayedReply, response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, more: object = {}): void => {
      const choice = { index: 0, delta, finish_reason: null, ...more }
      const event = {
        id: 'p',
        object: 'chat.completion.chunk',
        model: 'played-1',
        choices: [choice],
      }
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    const { reasoning = '', text = '', calls = [], chunk = 5 } = reply
    for (const piece of pieces(reasoning, chunk)) send({ reasoning_content: piece })
    for (const [at, piece] of pieces(text, chunk).entries()) {
      if (at === 2 && reply.pauses === true)
        await new Promise<void>((settle) => {
          this.#goOn = settle
          response.on('close', settle)
        })
      send({ content: piece })
    }
    if (reply.stops === 'closed') return void response.end()
    if (reply.stops === 'cut') {
      await new Promise<void>((settle) => response.write(': over\n\n', () => settle()))
      return void response.destroy()
    }
    for (const [index, { name, args }] of calls.entries()) {
      const id = `call_${(this.#calls += 1)}`
      const written = typeof args === 'string' ? args : JSON.stringify(args)
      send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
      for (const piece of pieces(written, 7))
        send({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
    const finish = reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
    send({}, { finish_reason: finish })
    const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 }
    response.write(`data: ${JSON.stringify({ id: 'p', choices: [], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  }
}

function pieces(text: string, size: number): readonly string[] {
  const all: string[] = []
  for (let at = 0; at < text.length; at += size) all.push(text.slice(at, at + size))
  return all
}
