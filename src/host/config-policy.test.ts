import { describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../base/log.ts'
import type { PlacedValue } from '../config/config.ts'
import { loggedPolicyOf } from './config-policy.ts'

function placed(value: PlacedValue['value']): PlacedValue {
  return { value, place: { file: 'p.json', line: 3, pointer: '' }, places: new Map() }
}

function logged(policy: PlacedValue | undefined, projectPolicy?: PlacedValue): LogRecord[] {
  const records: LogRecord[] = []
  const logger = createLogger((record) => void records.push(record))
  loggedPolicyOf({ policy, projectPolicy }, logger)
  return records
}

describe('what is wrong with the policy of a host', () => {
  it('is a warning in its log, with file and line', () => {
    const [record] = logged(placed({ blocked: [] }))
    expect(record).toMatchObject({ level: 'warn', message: 'the policy is broken' })
    expect(record?.data?.['message']).toMatch(/^p\.json:3: "blocked" means nothing/)
  })

  it('is told for the project as well', () => {
    const records = logged(placed({ blocked: [] }), placed({ allow: ['files'] }))
    expect(records.map(({ message }) => message)).toEqual([
      'the policy is broken',
      'the policy is odd',
    ])
  })

  it('is nothing where there is no policy or a good one', () => {
    expect(logged(undefined)).toEqual([])
    expect(logged(placed({ deny: ['files'] }))).toEqual([])
  })
})
