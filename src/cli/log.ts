/** The product's own log: lines on stderr for people, or JSON lines for machines, by level and module. */

import { UsageError } from '../base/errors.ts'
import { createLogger, LOG_LEVELS } from '../base/log.ts'
import type { Logger, LoggerOptions, LogLevel, LogRecord } from '../base/log.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { FaultWords } from './messages/messages.ts'
import type { Output } from './output.ts'

/** Least level that is written unless someone says otherwise. */
const DEFAULT_LEVEL: LogLevel = 'warn'

export interface LogWish {
  /** `--log-level`. */
  readonly option?: string | undefined
  /** `DEEP_PILOT_LOG_LEVEL`; the option wins. */
  readonly variable?: string | undefined
  readonly json?: boolean | undefined
}

/** What a run logs in. */
export interface LogWords {
  readonly faults: FaultWords
  /** The sentence for a person in place of a record, safe for a terminal; empty where nothing is to be said. */
  readonly tell?: (record: LogRecord) => string | undefined
}

/** Makes the logger of a run. Throws a `UsageError` for a level that there is not. */
export function commandLogger(
  wish: LogWish,
  output: Pick<Output, 'note' | 'noteJson'>,
  { faults, tell = () => undefined }: LogWords,
): Logger {
  const { option, variable } = wish
  const text = option ?? (variable === '' ? undefined : variable)
  const place = option === undefined ? 'DEEP_PILOT_LOG_LEVEL' : '--log-level'
  const levels = text === undefined ? {} : readLevels(text, place, faults)
  const write =
    wish.json === true
      ? (record: LogRecord) => output.noteJson({ time: new Date().toISOString(), ...record })
      : (record: LogRecord) => {
          const line = tell(record) ?? logLine(record)
          if (line !== '') output.note(line)
        }
  return createLogger(write, { level: DEFAULT_LEVEL, ...levels })
}

/** `warn`, `debug,transport=warn`, `client=debug`: a level alone is for all modules that are not named. */
export function readLevels(text: string, place: string, words: FaultWords): LoggerOptions {
  const levels: [string, LogLevel][] = []
  let level: LogLevel | undefined
  for (const part of text.split(',')) {
    const at = part.indexOf('=')
    const module = part.slice(0, Math.max(at, 0)).trim()
    const name = part
      .slice(at + 1)
      .trim()
      .toLowerCase()
    if (!isLevel(name) || (at >= 0 && module === '')) {
      throw new UsageError(words.badLogLevel(terminalText(text.slice(0, 100)), place))
    }
    if (at < 0) level = name
    else levels.push([module, name])
  }
  return { ...(level === undefined ? {} : { level }), levels: Object.fromEntries(levels) }
}

function isLevel(name: string): name is LogLevel {
  return LOG_LEVELS.some((level) => level === name)
}

/** `warn client: what happened {"facts":1}`; everything in it may be a stranger's text. */
function logLine({ level, module, message, data }: LogRecord): string {
  const facts = data === undefined ? '' : ` ${JSON.stringify(data)}`
  return terminalText(`${level} ${module}: ${message}${facts}`)
}
