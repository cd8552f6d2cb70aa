/** A misbehaving HTTP or WebSocket server of the case list as a process: its address, what it saw, and its end. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JsonObject } from '../../src/base/json.ts'

export class CaseHttpServer {
  readonly url: string
  readonly #child: ChildProcess

  /** The first line that it writes is its address. */
  static async start(file: string): Promise<CaseHttpServer> {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface({ input: child.stdout })) {
      return new CaseHttpServer(child, line)
    }
    throw new Error(`${file} ended without telling its address.`)
  }

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  async trace(): Promise<JsonObject> {
    const response = await fetch(new URL('/__trace', this.url.replace(/^ws/, 'http')))
    return (await response.json()) as JsonObject // the case server writes an object
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }
}
