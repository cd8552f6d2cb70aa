/** Hears one HTTP exchange and remembers it, so that a test can wait for each of its steps. */
import type {
  HttpExchange,
  HttpFlight,
  HttpRequest,
  HttpSink,
} from '../../../src/transport/http/exchange.ts'

export class WatchedSink implements HttpSink {
  /** Names of the calls in their order; data in a row counts once. */
  readonly steps: string[] = []
  status = 0
  header: (name: string) => string | undefined = () => undefined
  body = ''
  bytes = 0
  error: Error | undefined
  readonly #decoder = new TextDecoder()
  #watchers: (() => void)[] = []

  sending(): void {
    this.#step('sending')
  }

  left(): void {
    this.#step('left')
  }

  head(status: number, header: (name: string) => string | undefined): void {
    this.status = status
    this.header = header
    this.#step('head')
  }

  data(bytes: Uint8Array): void {
    this.bytes += bytes.length
    if (this.bytes < 1024 * 1024) this.body += this.#decoder.decode(bytes, { stream: true })
    this.#step('data')
  }

  end(): void {
    this.#step('end')
  }

  failed(error: Error): void {
    this.error = error
    this.#step('failed')
  }

  get over(): boolean {
    return this.steps.includes('end') || this.steps.includes('failed')
  }

  /** Settles once the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  #step(name: string): void {
    if (name !== 'data' || this.steps.at(-1) !== 'data') this.steps.push(name)
    const watchers = this.#watchers
    this.#watchers = []
    for (const watcher of watchers) watcher()
  }
}

/** Begins an exchange that is watched. */
export function begin(
  exchange: HttpExchange,
  url: string,
  request: Partial<HttpRequest> = {},
): WatchedSink & { readonly flight: HttpFlight } {
  const sink = new WatchedSink()
  const flight = exchange({ method: 'GET', url, headers: {}, ...request }, sink)
  return Object.assign(sink, { flight })
}

/** Makes an exchange and waits for its end. */
export async function make(
  exchange: HttpExchange,
  url: string,
  request?: Partial<HttpRequest>,
): Promise<WatchedSink> {
  const sink = begin(exchange, url, request)
  await sink.until(() => sink.over)
  return sink
}
