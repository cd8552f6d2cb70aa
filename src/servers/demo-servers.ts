/**
 * A server for each demo tool, ready to accept a transport. The tools are in files of their own, for mounting in a host.
 */

import { Server } from '../server/server.ts'
import { calculator } from './calculator.ts'
import { weather } from './weather.ts'
import type { WeatherOptions } from './weather.ts'

export interface CalculatorServerOptions {
  /** Version that the server tells of itself; the package's. */
  readonly version: string
}

export interface WeatherServerOptions extends WeatherOptions {
  /** Version that the server tells of itself; the package's. */
  readonly version: string
}

/** A server with the calculator alone. */
export function calculatorServer(options: CalculatorServerOptions): Server {
  return new Server({ name: 'calculator', version: options.version, tools: [calculator()] })
}

/** A server with the weather alone. Throws a `UsageError` for an address of a service that cannot be used. */
export function weatherServer(options: WeatherServerOptions): Server {
  const { version, ...rest } = options
  return new Server({ name: 'weather', version, tools: [weather(rest)] })
}
