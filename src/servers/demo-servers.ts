/**
 * A server for each demo tool, ready to accept a transport. The tools are in files of their own, for mounting in a host.
 */

import type { ServerOptions } from '../server/options.ts'
import { Server } from '../server/server.ts'
import { calculator } from './calculator.ts'
import { weather } from './weather.ts'
import type { WeatherOptions } from './weather.ts'

/** Whatever a server can be told, but what it is called and what it offers. */
export type CalculatorServerOptions = Omit<ServerOptions, 'name' | 'tools'>

export interface WeatherServerOptions extends Omit<ServerOptions, 'name' | 'tools'> {
  /** Where the weather comes from and how it is told. Default: Open-Meteo. */
  readonly weather?: WeatherOptions
}

/** A server with the calculator alone. */
export function calculatorServer(options: CalculatorServerOptions): Server {
  return new Server({ ...options, name: 'calculator', tools: [calculator()] })
}

/** A server with the weather alone. Throws a `UsageError` for an address of a service that cannot be used. */
export function weatherServer(options: WeatherServerOptions): Server {
  const { weather: source, ...rest } = options
  return new Server({ ...rest, name: 'weather', tools: [weather(source)] })
}
