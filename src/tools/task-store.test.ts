import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { TaskStore, type TaskStoreOptions, type TaskWork } from './task-store.ts'

const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } }

function stage(options: TaskStoreOptions = {}): {
  store: TaskStore
  clock: ReturnType<typeof fakeClock>
  start: (principal?: string) => TaskWork
} {
  const clock = fakeClock()
  const store = new TaskStore({ clock, ...options })
  return { store, clock, start: (principal) => store.start({ principal, method: 'tools/call' }) }
}

describe('a task', () => {
  it('can be found from the moment it is made, by its owner alone [TASKX-06, TASK-14, TASKX-18, SEC-05]', () => {
    const { store, start } = stage()
    const { task } = start('ann')
    expect(store.get(task.id, 'ann')).toBe(task)
    expect(store.get(task.id, 'bob')).toBeUndefined()
    expect(store.get(task.id, undefined)).toBeUndefined()
    expect(store.list('bob')).toEqual([])
    expect(store.list('ann')).toEqual([task])
  })

  it('has an id of 128 bits that is not used again', () => {
    const { store, start } = stage({ maxTasks: 2000, maxTasksEach: 2000 })
    const ids = new Set(Array.from({ length: 1000 }, () => start().task.id))
    expect(ids.size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
    store.close()
  })

  it('never changes after its end [TASK-07]', async () => {
    const { store, start } = stage()
    const work = start()
    work.finish({ kind: 'result', result: { content: [] } })
    work.finish({ kind: 'error', error: new Error('late') })
    work.say('late')
    expect(store.cancel(work.task)).toBe(false)
    await work.task.ended
    expect(work.task).toMatchObject({ status: 'completed', end: { kind: 'result' } })
    expect(work.task.statusMessage).toBeUndefined()
    await expect(work.ask('k', QUESTION)).rejects.toMatchObject({ code: 'DP_CANCELLED' })
  })

  it('waits for answers, of which each counts once, and works on when all are there [TASKX-09, TASKX-10]', async () => {
    const { store, start } = stage()
    const { task, ...work } = bound(start())
    const first = work.ask('a', QUESTION)
    const second = work.ask('b', QUESTION)
    expect(task.status).toBe('input_required')
    expect(store.answer(task, 'a', { action: 'accept' })).toBe(true)
    expect(store.answer(task, 'a', { action: 'decline' })).toBe(false)
    expect(store.answer(task, 'nobody asked', {})).toBe(false)
    expect(task).toMatchObject({ status: 'input_required', questions: [{ key: 'b' }] })
    store.answer(task, 'b', { action: 'cancel' })
    expect(task.status).toBe('working')
    expect([await first, await second]).toEqual([{ action: 'accept' }, { action: 'cancel' }])
    await expect(work.ask('a', QUESTION)).rejects.toMatchObject({ code: 'DP_USAGE' })
  })

  it('that is cancelled aborts its work and its questions, and says why [TASK-11]', async () => {
    const { store, start } = stage()
    const work = start()
    const answer = work.ask('a', QUESTION)
    expect(store.cancel(work.task, 'no longer wanted')).toBe(true)
    await expect(answer).rejects.toMatchObject({ code: 'DP_CANCELLED' })
    expect(work.signal.aborted).toBe(true)
    expect(work.task).toMatchObject({ status: 'cancelled', statusMessage: 'no longer wanted' })
  })

  it('asks at most a hundred questions', async () => {
    const { start } = stage()
    const work = start()
    for (let count = 0; count < 100; count += 1) work.ask(`k${count}`, QUESTION).catch(() => {})
    await expect(work.ask('one more', QUESTION)).rejects.toMatchObject({ code: 'DP_USAGE' })
  })

  it('is forgotten when its time is over, and stopped if it still runs [TASK-15]', async () => {
    const { store, clock } = stage({ maxTtlMs: 5000 })
    const brief = store.start({ principal: 'a', method: 'm', ttlMs: 1000 })
    const greedy = store.start({ principal: 'a', method: 'm', ttlMs: 1e9 })
    expect(greedy.task.ttlMs).toBe(5000)
    await clock.advance(1001)
    expect(store.get(brief.task.id, 'a')).toBeUndefined()
    expect(brief.signal.aborted).toBe(true)
    expect(store.size).toBe(1)
    await clock.advance(4000)
    expect(store.size).toBe(0)
  })
})

describe('a store', () => {
  it('makes room by forgetting tasks that have ended, and else refuses', () => {
    const { store, start } = stage({ maxTasks: 3, maxTasksEach: 2 })
    const ended = start('a')
    ended.finish({ kind: 'result', result: {} })
    start('a')
    start('a')
    expect(store.get(ended.task.id, 'a')).toBeUndefined()
    expect(() => start('a')).toThrow(expect.objectContaining({ code: 'DP_USAGE' }))
    start('b')
    expect(() => start('c')).toThrow(expect.objectContaining({ code: 'DP_USAGE' }))
  })

  it('tells of every change, until nobody listens', () => {
    const { store, start } = stage()
    const heard: string[] = []
    const stop = store.onChange(({ status, statusMessage }) =>
      heard.push(`${status} ${statusMessage ?? ''}`),
    )
    const work = start()
    work.say('half way')
    work.finish({ kind: 'error', error: new Error('x') })
    stop()
    start().say('unheard')
    expect(heard).toEqual(['working half way', 'failed half way'])
  })

  it('that is closed leaves neither tasks nor a timer', () => {
    const { store, start, clock } = stage()
    const work = start()
    store.close()
    expect(work.signal.aborted).toBe(true)
    expect(store.size).toBe(0)
    expect(clock.pending).toBe(0)
  })
})

/** The work with its functions bound, to be taken apart. */
function bound(work: TaskWork): Pick<TaskWork, 'task' | 'ask'> {
  return { task: work.task, ask: (key, request) => work.ask(key, request) }
}
