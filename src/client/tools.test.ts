import { describe, expect, it } from 'vitest'
import { ToolChecks } from './tools.ts'

describe('checks of calls', () => {
  it('refuse nothing where the schema cannot be used', async () => {
    const checks = new ToolChecks()
    checks.learn([{ name: 'a', inputSchema: { type: 'nonsense' } }])
    await checks.checkArguments('a', { anything: 1 })
    expect(checks.checkArguments('a', { anything: 1 })).toBeUndefined()
  })

  it('forget what an earlier list said', async () => {
    const checks = new ToolChecks()
    checks.learn([{ name: 'a', inputSchema: { type: 'object', required: ['x'] } }])
    await expect(Promise.resolve().then(() => checks.checkArguments('a', {}))).rejects.toThrow(
      /do not fit/,
    )
    checks.learn([])
    expect(checks.checkArguments('a', {})).toBeUndefined()
  })
})
