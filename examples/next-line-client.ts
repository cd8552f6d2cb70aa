/**
 * The client that tutorials print: write one line, read the next line, call it the answer. It works as
 * long as the server speaks only when asked. Kept with its faults, as a lesson; use `minimal-client.ts`.
 */
import { spawn } from 'node:child_process'

type Json = ReturnType<typeof JSON.parse> // whatever the other side sends, unchecked

export class NextLineClient {
  readonly #child
  readonly #lines: AsyncIterator<string>
  #requestId = 0

  constructor(command: string, args: string[]) {
    this.#child = spawn(command, args) // fault: stderr is a pipe that nobody reads
    this.#lines = lines(this.#child.stdout.setEncoding('utf8'))
  }

  async initialize(capabilities: Json = {}): Promise<Json> {
    const response = await this.sendRequest('initialize', {
      protocolVersion: '2024-11-05',
      capabilities,
      clientInfo: { name: 'next-line-client', version: '1.0.0' },
    })
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized', params: {} })
    return response.result.serverInfo // fault: the answer may be an error, or another revision
  }

  async listTools(): Promise<Json[]> {
    const response = await this.sendRequest('tools/list', {})
    return response.result.tools // fault: the first page only
  }

  async callTool(name: string, args: Json): Promise<string> {
    const response = await this.sendRequest('tools/call', { name, arguments: args })
    if (response.error !== undefined) return `Error: ${response.error.message}`
    return response.result.content // fault: isError is never looked at
      .filter((block: Json) => block.type === 'text')
      .map((block: Json) => block.text)
      .join('\n')
  }

  close(): void {
    this.#child.kill() // fault: a signal first, where closing stdin would do
  }

  /** Public so that a test can show which line was taken for the answer. */
  async sendRequest(method: string, params: Json): Promise<Json> {
    this.#write({ jsonrpc: '2.0', id: ++this.#requestId, method, params })
    const next = await this.#lines.next() // fault: the next line need not be the answer
    return next.done === true ? {} : JSON.parse(next.value) // fault: an ended server is an empty answer
  }

  #write(message: Json): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`)
  }
}

async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const whole = (rest + chunk).split('\n')
    rest = whole.pop() ?? ''
    yield* whole
  }
}
