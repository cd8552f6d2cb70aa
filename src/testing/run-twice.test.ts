import { describe, expect, it } from 'vitest'
import { elicit, listRoots, type ToolContext } from '../tools/context.ts'
import { defineTool, ToolError, type ToolDefinition } from '../tools/define.ts'
import { runTwice, type RanTwice, type TestAnswers } from './run-twice.ts'

const seat = elicit({ message: 'Which seat?', requestedSchema: { type: 'object', properties: {} } })
const answers: TestAnswers = {
  seat: { action: 'accept', content: { seat: '12A' } },
  roots: { roots: [] },
}

/** Runs a tool whose code may count effects. */
async function running(
  run: (context: ToolContext, effect: () => void) => unknown,
  given: TestAnswers = answers,
): Promise<RanTwice & { readonly effects: number }> {
  let effects = 0
  const tool: ToolDefinition = defineTool({
    name: 'book',
    run: (_args, context) => run(context, () => void (effects += 1)),
  })
  const ran = await runTwice(tool, {}, given, { effects: () => effects })
  return { ...ran, effects }
}

describe('a tool run as in the modern era', () => {
  it('runs once for each round of questions, and once more', async () => {
    let runs = 0
    const ran = await running(async (ctx, effect) => {
      runs += 1
      const { content } = await ctx.ask('seat', seat)
      await ctx.ask('roots', listRoots())
      effect()
      return `booked ${String(content?.['seat'])}`
    })
    expect(ran.result.content).toEqual([{ type: 'text', text: 'booked 12A' }])
    expect(ran.asked).toEqual([['seat'], ['roots']])
    expect([runs, ran.effects]).toEqual([3, 1])
  })

  it('runs once when it asks nothing', async () => {
    const ran = await running((_context, effect) => effect())
    expect(ran).toEqual({ result: { content: [] }, asked: [], effects: 1 })
  })

  it('asks in one round what it asks in one breath', async () => {
    const ran = await running(async (ctx) => {
      await Promise.all([ctx.ask('seat', seat), ctx.ask('roots', listRoots())])
      return 'done'
    })
    expect(ran.asked).toEqual([['seat', 'roots']])
  })

  it('fails with a result where it throws a ToolError, and with what it throws else', async () => {
    const failing = (error: Error) => async (context: ToolContext) => {
      await context.ask('seat', seat)
      throw error
    }
    const { result } = await running(failing(new ToolError('sold out')))
    expect(result).toEqual({ content: [{ type: 'text', text: 'sold out' }], isError: true })
    await expect(running(failing(new TypeError('x')))).rejects.toThrow(TypeError)
  })

  it('does not run what stands behind an unanswered question, not even finally', async () => {
    const ran = await running(async (ctx, effect) => {
      try {
        await ctx.ask('seat', seat)
      } finally {
        effect()
      }
    })
    expect(ran.effects).toBe(1)
  })
})

describe('an effect before the answers are there is found', () => {
  const found =
    /^The tool book had an effect in run 1, which ended with the question "seat"\. .*move it/

  it('in front of the question', async () => {
    const run = running(async (ctx, effect) => {
      effect()
      await ctx.ask('seat', seat)
    })
    await expect(run).rejects.toThrow(found)
    await expect(run).rejects.toMatchObject({ code: 'DP_USAGE' })
  })

  it('beside the question', async () => {
    const later = async (effect: () => void): Promise<void> => {
      await Promise.resolve()
      effect()
    }
    const run = running((ctx, effect) => Promise.all([ctx.ask('seat', seat), later(effect)]))
    await expect(run).rejects.toThrow(found)
  })

  it('between two questions', async () => {
    const run = running(async (ctx, effect) => {
      await ctx.ask('seat', seat)
      effect()
      effect()
      await ctx.ask('roots', listRoots())
    })
    await expect(run).rejects.toThrow(/had 2 effects in run 2, .* question "roots"/)
  })

  it('when the question is asked and not waited for', async () => {
    const run = running(async (ctx, effect) => {
      void ctx.ask('seat', seat)
      await Promise.resolve()
      effect()
    })
    await expect(run).rejects.toThrow(found)
  })
})

describe('a test that cannot go on says why', () => {
  it.each(['hotel', 'toString'])('when there is no answer under the key %s', async (key) => {
    const run = running((ctx) => ctx.ask(key, seat))
    await expect(run).rejects.toThrow(`asked "${key}", and the test has no answer to that`)
  })

  it('when the tool asks something new on every run', async () => {
    const any = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`k${at}`, { roots: [] }] as const),
    )
    let at = 0
    const run = running((ctx) => ctx.ask(`k${(at += 1)}`, listRoots()), any)
    await expect(run).rejects.toThrow(/something new in each of 11 runs/)
  })
})
