import { describe, expect, it } from 'vitest'
import { commandLogger, readLevels, type LogWish, type LogWords } from './log.ts'
import { en } from './messages/en.ts'
import { createOutput } from './output.ts'

function logged(
  wish: LogWish,
  tell?: LogWords['tell'],
): { lines: string[]; logger: ReturnType<typeof commandLogger> } {
  const lines: string[] = []
  const stream = { write: (text: string) => lines.push(text) > 0, on: () => {} }
  const output = createOutput({ stdout: { ...stream, write: () => true }, stderr: stream, env: {} })
  return {
    lines,
    logger: commandLogger(wish, output, { faults: en.faults, ...(tell && { tell }) }),
  }
}

describe('the log', () => {
  it('says warnings and errors unless told otherwise', () => {
    const { lines, logger } = logged({})
    const server = logger.module('server')
    server.info('quiet')
    server.warn('loud', { port: 1 })
    expect(lines).toEqual(['warn server: loud {"port":1}\n'])
  })

  it('takes levels for single modules', () => {
    const { lines, logger } = logged({ option: 'error,client=debug' })
    logger.module('client').debug('a')
    logger.module('client').module('tools').debug('b')
    logger.module('server').warn('c')
    expect(lines).toEqual(['debug client: a\n', 'debug client.tools: b\n'])
  })

  it('takes its level from the variable, and from the option before it', () => {
    expect(readLevels('info', 'x', en.faults)).toEqual({ level: 'info', levels: {} })
    const { lines, logger } = logged({ option: 'silent', variable: 'debug' })
    logger.module('a').error('x')
    expect(lines).toEqual([])
    const other = logged({ variable: 'debug' })
    other.logger.module('a').debug('x')
    expect(other.lines).toEqual(['debug a: x\n'])
  })

  it('writes JSON lines when asked', () => {
    const { lines, logger } = logged({ json: true })
    logger.module('wire').warn('stray', { text: '\u001b[2J' })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      module: 'wire',
      message: 'stray',
      data: { text: '\u001b[2J' },
    })
  })

  it('says to people what it has a sentence for, and to machines the facts', () => {
    const sentences: Readonly<Record<string, string>> = { stray: 'A sentence.', known: '' }
    const tell: LogWords['tell'] = ({ message }) => sentences[message]
    const { lines, logger } = logged({}, tell)
    logger.module('wire').warn('stray', { text: 'x' })
    logger.module('wire').warn('known')
    logger.module('wire').warn('other')
    expect(lines).toEqual(['A sentence.\n', 'warn wire: other\n'])
    const machine = logged({ json: true }, tell)
    machine.logger.module('wire').warn('stray', { text: 'x' })
    expect(JSON.parse(machine.lines[0] ?? '')).toMatchObject({ message: 'stray' })
  })

  it('keeps a line one line, whatever a server said', () => {
    const { lines, logger } = logged({ option: 'info' })
    logger.module('server').info('a\nb\u001b]0;x\u0007')
    expect(lines).toEqual(['info server: a\\nb\\u001b]0;x\\u0007\n'])
  })

  it.each(['loud', 'info,', 'client=loud', '=info', ''])('refuses the levels %j', (text) => {
    expect(() => readLevels(text, '--log-level', en.faults)).toThrow(
      `--log-level cannot be "${text}"`,
    )
  })

  it('names the variable when that is wrong', () => {
    expect(() => logged({ variable: 'loud' })).toThrow('DEEP_PILOT_LOG_LEVEL cannot be "loud"')
  })
})
