/** An HTTP server as a process of its own: its address, which is the first line that it writes, and its end. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JsonObject } from '../../../src/base/json.ts'

export class HttpServerProcess {
  readonly url: string
  readonly #child: ChildProcess

  static async start(file: string): Promise<HttpServerProcess> {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface({ input: child.stdout })) {
      return new HttpServerProcess(child, line)
    }
    throw new Error(`${file} ended without telling its address.`)
  }

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  /** What the server saw, as it tells at this path. */
  async trace(): Promise<JsonObject> {
    const response = await fetch(new URL('/__trace', this.url.replace(/^ws/, 'http')))
    return (await response.json()) as JsonObject // these servers write an object
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }
}
