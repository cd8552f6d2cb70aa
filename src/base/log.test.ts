import { expect, it } from 'vitest'
import { createLogger, type LogRecord } from './log.ts'

function collect(options: Parameters<typeof createLogger>[1]): {
  records: LogRecord[]
  logger: ReturnType<typeof createLogger>
} {
  const records: LogRecord[] = []
  return { records, logger: createLogger((record) => void records.push(record), options) }
}

it('writes from the level up, info by default', () => {
  const { records, logger } = collect({})
  logger.debug('a')
  logger.info('b', { n: 1 })
  logger.error('c')
  expect(records).toEqual([
    { level: 'info', module: '', message: 'b', data: { n: 1 } },
    { level: 'error', module: '', message: 'c', data: undefined },
  ])
})

it('gives a module the level of its nearest named part', () => {
  const { records, logger } = collect({
    level: 'error',
    levels: { transport: 'debug', 'transport.stdio.deep': 'silent' },
  })
  logger.module('server').info('no')
  logger.module('transport').module('stdio').debug('yes')
  logger.module('transport.stdio.deep').error('no')
  expect(records.map(({ module, message }) => [module, message])).toEqual([
    ['transport.stdio', 'yes'],
  ])
})

it('says nothing when silent', () => {
  const { records, logger } = collect({ level: 'silent' })
  logger.error('x')
  expect(records).toEqual([])
})
