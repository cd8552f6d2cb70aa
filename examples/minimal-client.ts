/**
 * A whole MCP client over stdio on one screen, from Node's standard library alone. Left out, and in
 * the library: deadlines, cancellation, limits, argument checks, HTTP, the revision 2026-07-28.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

type Json = ReturnType<typeof JSON.parse> // whatever the other side sends, unchecked
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** `initialize` comes first, `close` last. `answers`: what the server may ask of us, by method. */
export class MinimalClient {
  readonly #child
  readonly #closed: Promise<void>
  readonly #answers: ReadonlyMap<string, Json>
  readonly #pending = new Map<Json, (answer: Json) => void>()
  #lastId = 0
  constructor(command: string, args: string[], answers: Record<string, Json> = {}) {
    this.#answers = new Map(Object.entries({ ping: {}, ...answers }))
    this.#child = spawn(command, args) // a program and its words, no shell that would read `$(…)`
    let [rest, log] = ['', '']
    // An unread pipe is full after 64 KiB and then the server stands still: read it, keep the end.
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-2000)))
    // Chunks are not lines. The decoder keeps characters whole that were cut between two chunks.
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('{')) this.#receive(JSON.parse(line))
    })
    this.#child.stdin.on('error', () => {}) // the server went while we wrote: "close" follows
    const end = once(this.#child, 'close').then(([code]) => `it ended with code ${code}`, String)
    this.#closed = end.then((why) => {
      const error = { message: `${command} is gone: ${why}. ${log}` }
      for (const settle of this.#pending.values()) settle({ error }) // nobody waits for ever
    })
  }
  async initialize(capabilities: Json = {}): Promise<Json> {
    const clientInfo = { name: 'minimal-client', version: '1.0.0' }
    const params = { protocolVersion: REVISIONS[0], capabilities, clientInfo }
    const { protocolVersion, serverInfo } = await this.#request('initialize', params)
    if (!REVISIONS.includes(protocolVersion)) throw new Error(`We don't speak ${protocolVersion}.`)
    this.#send({ method: 'notifications/initialized' }) // from now on both sides may speak
    return serverInfo
  }
  async listTools(cursor?: string): Promise<Json[]> {
    const { tools, nextCursor } = await this.#request('tools/list', { cursor }) // one page
    return nextCursor === undefined ? tools : [...tools, ...(await this.listTools(nextCursor))]
  }
  async callTool(name: string, args: Json): Promise<{ text: string; isError: boolean }> {
    const { content, isError } = await this.#request('tools/call', { name, arguments: args })
    const text = content.map((block: Json) => block.text ?? `[${block.type}]`).join('\n')
    return { text, isError: isError === true } // a tool that failed is an answer: a model reads it
  }
  async close(): Promise<void> {
    this.#child.stdin.end() // the polite way; a server that does not hear is stopped
    setTimeout(() => this.#child.kill('SIGKILL'), 2000).unref()
    await this.#closed
  }
  #send(message: Json): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) // one line each
  }
  async #request(method: string, params: Json): Promise<Json> {
    if (!this.#child.stdin.writable) throw new Error(`${method}: the server is gone`)
    const answer = new Promise<Json>((resolve) => this.#pending.set(++this.#lastId, resolve))
    this.#send({ id: this.#lastId, method, params })
    const { error, result } = await answer
    if (error) throw new Error(error.message) // refused: another thing than a tool that failed
    return result
  }
  #receive({ id, method, ...answer }: Json): void {
    if (method === undefined) {
      this.#pending.get(id)?.(answer) // answers come in any order: the id tells whose this is
      this.#pending.delete(id)
    } else if (id !== undefined) {
      const result = this.#answers.get(method) // the server asks, too, and gets one answer
      const error = { code: -32601, message: `Method not found: ${method}` }
      this.#send(result === undefined ? { id, error } : { id, result })
    } // without an id it is a notification, and nobody answers those
  }
}
