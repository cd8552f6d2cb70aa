/**
 * The port through which every layer logs. It is not the MCP feature of that name and not the wire tap:
 * messages on the wire go to a `WireSink`. Where lines end up (stderr, JSON) is decided at the edge.
 */

import type { JsonObject } from './json.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export interface LogRecord {
  readonly level: Exclude<LogLevel, 'silent'>
  /** The part of the product that speaks, e.g. `server` or `transport.stdio`. */
  readonly module: string
  readonly message: string
  readonly data?: JsonObject | undefined
}

export interface Logger {
  debug(message: string, data?: JsonObject): void
  info(message: string, data?: JsonObject): void
  warn(message: string, data?: JsonObject): void
  error(message: string, data?: JsonObject): void
  /** The same logger speaking for a part, named with a dot: `server` becomes `server.tools`. */
  module(name: string): Logger
}

export interface LoggerOptions {
  /** Least level that is written. Default `info`. */
  readonly level?: LogLevel
  /** Levels for single modules and what lies below them, e.g. `{ 'transport.stdio': 'debug' }`. */
  readonly levels?: Readonly<Record<string, LogLevel>>
}

/** A logger that hands each record that passes its level to `write`, in order. `write` must not throw. */
export function createLogger(
  write: (record: LogRecord) => void,
  options: LoggerOptions = {},
): Logger {
  const levels = new Map(Object.entries(options.levels ?? {}))
  const fallback = options.level ?? 'info'
  const make = (module: string): Logger => {
    const least = LOG_LEVELS.indexOf(levelOf(module, levels, fallback))
    const say = (level: LogRecord['level']) => (message: string, data?: JsonObject) => {
      if (LOG_LEVELS.indexOf(level) >= least) write({ level, module, message, data })
    }
    return {
      debug: say('debug'),
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      module: (name) => make(module === '' ? name : `${module}.${name}`),
    }
  }
  return make('')
}

/** Drops everything; the default wherever a logger is optional. */
export const silentLogger: Logger = createLogger(() => {}, { level: 'silent' })

function levelOf(
  module: string,
  levels: ReadonlyMap<string, LogLevel>,
  fallback: LogLevel,
): LogLevel {
  for (let name = module; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const level = levels.get(name)
    if (level !== undefined) return level
  }
  return fallback
}
