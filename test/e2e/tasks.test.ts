/** Tasks in both shapes: those of the extension, and those of 2025-11-25. */

import { describe, expect, it } from 'vitest'
import { RpcRefusal } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { TASKS_EXTENSION, TASKS_EXTENSION_ID } from '../../src/protocol/extensions/tasks.ts'
import type { TaskState } from '../../src/protocol/types/tasks.ts'
import { elicit } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool, ToolError, type TaskSupport } from '../../src/tools/define.ts'
import { answerTo, MODERN, ofMethod, pairUp, type Pair } from '../support/pair.ts'
import { envelopeOf, rawClient } from '../support/raw-client.ts'

const FORM = {
  message: 'Really?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
} as const

/** What a tool under test waits for: the test opens it. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

const QUICK = { pollIntervalMs: 50 } as const
const optional: TaskSupport = { support: 'optional', ...QUICK }
const required: TaskSupport = { support: 'required', ...QUICK }

const slow = (task: TaskSupport, until: Promise<void> = Promise.resolve()) =>
  defineTool({
    name: 'slow',
    task,
    async run(_args, ctx) {
      ctx.progress({ progress: 1, total: 2, message: 'half way' })
      await Promise.race([
        until,
        new Promise((_, reject) =>
          ctx.signal.addEventListener('abort', () => reject(new Error('stop'))),
        ),
      ])
      return 'slowly done'
    },
  })

const failing = defineTool({
  name: 'failing',
  task: optional,
  run: () => {
    throw new ToolError('no paper')
  },
})

const refusing = defineTool({
  name: 'refusing',
  task: optional,
  run: () => {
    throw new RpcRefusal(-31999, 'not today', { data: { why: 'rain' } })
  },
})

const asking = defineTool({
  name: 'asking',
  task: optional,
  async run(_args, ctx) {
    const [first, second] = await Promise.all([
      ctx.ask('first', elicit(FORM)),
      ctx.ask('second', elicit(FORM)),
    ])
    return `${String(first.content?.['name'])} ${String(second.content?.['name'])}`
  },
})

const answers = {
  elicitation: () => Promise.resolve({ action: 'accept' as const, content: { name: 'Ann' } }),
}

const following: ClientOptions = { extensions: [TASKS_EXTENSION], answers }

describe.each(MODERN)('tasks of the extension at %s', (revision) => {
  const join = (
    tools: readonly ReturnType<typeof defineTool>[],
    client: ClientOptions = following,
  ): Promise<Pair> => pairUp(revision, { tools, tasks: QUICK }, client)

  it('are made at the discretion of the server, can be found at once, and are followed to their end [RPC-21, TASKX-01, TASKX-03, TASKX-04, TASKX-05, TASKX-06, TASKX-07, TASKX-08]', async () => {
    const work = gate()
    const pair = await join([slow(optional, work.opened)])
    const seen: TaskState[] = []
    const called = pair.client.callTool('slow', {}, { onTask: (task) => seen.push(task) })
    await expect.poll(() => ofMethod(pair, 'tasks/get').length).toBeGreaterThan(0)
    work.open()
    expect(resultToText(await called)).toBe('slowly done')
    expect(answerTo(pair, 'tools/call')?.result).toMatchObject({
      resultType: 'task',
      status: 'working',
      pollIntervalMs: 50,
    })
    expect(answerTo(pair, 'tools/call')?.result).not.toHaveProperty('task')
    expect(answerTo(pair, 'tasks/get')?.result).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { content: [{ text: 'slowly done' }] },
    })
    expect(seen.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['working', 'completed']),
    )
    expect(seen.at(-1)?.statusMessage).toBe('half way')
  })

  it('are no tasks for a client that did not declare them [TASKX-02, EXT-02, EXT-03]', async () => {
    const pair = await join([slow(optional), { ...slow(required), tool: named('must') }], {})
    expect(resultToText(await pair.client.callTool('slow'))).toBe('slowly done')
    await expect(pair.client.callTool('must')).rejects.toMatchObject({
      rpcCode: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION_ID]: {} } } },
    })
    expect(await rawly(pair, 'tasks/get', { taskId: 'x' }, {})).toMatchObject({
      error: { code: -32021 },
    })
  })

  it('complete with the result of a tool that failed, and fail with an error of the protocol [TASKX-13]', async () => {
    const pair = await join([failing, refusing])
    expect(await pair.client.callTool('failing')).toMatchObject({
      isError: true,
      content: [{ text: 'no paper' }],
    })
    expect(answerTo(pair, 'tasks/get')?.result).toMatchObject({ status: 'completed' })
    await expect(pair.client.callTool('refusing')).rejects.toMatchObject({
      rpcCode: -31999,
      data: { why: 'rain' },
    })
    expect(answerTo(pair, 'tasks/get')?.result).toMatchObject({ status: 'failed' })
  })

  it('ask in the task, and each answer is given once [TASKX-09, TASKX-10, TASKX-11]', async () => {
    const pair = await join([asking])
    expect(resultToText(await pair.client.callTool('asking'))).toBe('Ann Ann')
    const updates = ofMethod(pair, 'tasks/update')
    expect(updates).toHaveLength(1)
    expect(Object.keys(updates[0]?.params?.['inputResponses'] as JsonObject)).toEqual([
      'first',
      'second',
    ])
    expect(answerTo(pair, 'tasks/update')?.result).not.toHaveProperty('status')
  })

  it('take partial answers, and ignore those that nobody asked for [TASKX-10]', async () => {
    const pair = await join([asking])
    const task = await created(pair, 'asking')
    const get = (): Promise<JsonObject> => pair.client.request('tasks/get', { taskId: task })
    await expect.poll(async () => (await get())['status']).toBe('input_required')
    const answer = { action: 'accept', content: { name: 'Bob' } }
    await pair.client.request('tasks/update', {
      taskId: task,
      inputResponses: { second: answer, nobody: answer },
    })
    const state = await get()
    expect(Object.keys(state['inputRequests'] as JsonObject)).toEqual(['first'])
    await pair.client.request('tasks/update', { taskId: task, inputResponses: { first: answer } })
    await expect.poll(async () => (await get())['status']).toBe('completed')
  })

  it('are cancelled by their own request when the call is given up, and stay so [TASKX-11, TASKX-12, CANC-06]', async () => {
    const pair = await join([slow(optional, new Promise(() => {}))])
    const controller = new AbortController()
    const called = pair.client.callTool('slow', {}, { signal: controller.signal })
    await expect.poll(() => ofMethod(pair, 'tasks/get').length).toBeGreaterThan(0)
    controller.abort()
    await expect(called).rejects.toMatchObject({ code: 'DP_CANCELLED' })
    await expect.poll(() => ofMethod(pair, 'tasks/cancel').length).toBe(1)
    expect(ofMethod(pair, 'notifications/cancelled')).toEqual([])
    const { taskId } = ofMethod(pair, 'tasks/cancel')[0]?.params ?? {}
    const state = (): Promise<JsonObject> =>
      pair.client.request('tasks/get', { taskId: String(taskId) })
    await expect.poll(async () => (await state())['status']).toBe('cancelled')
    expect(
      await pair.client.request('tasks/cancel', { taskId: String(taskId) }),
    ).not.toHaveProperty('status')
  })

  it('begin behind the questions of a tool that asks first [TASKX-17]', async () => {
    const later = defineTool({
      name: 'later',
      task: { support: 'optional', starts: 'later', ...QUICK },
      async run(_args, ctx) {
        const answer = await ctx.ask('who', elicit(FORM))
        const became = ctx.becomeTask()
        await new Promise((resolve) => setTimeout(resolve, 10))
        return `for ${String(answer.content?.['name'])}: ${became}`
      },
    })
    const pair = await join([later])
    expect(resultToText(await pair.client.callTool('later'))).toBe('for Ann: true')
    const types = pair.crossed.map(({ message }) => message.result?.['resultType'])
    expect(types.indexOf('input_required')).toBeGreaterThan(-1)
    expect(types.indexOf('task')).toBeGreaterThan(types.indexOf('input_required'))
    const plain = await join([later], { answers })
    expect(resultToText(await plain.client.callTool('later'))).toBe('for Ann: false')
  })

  it('have neither a list nor a blocking result, and no parameter asks for one [TASKX-19]', async () => {
    const pair = await join([slow(optional)])
    expect(pair.client.server.capabilities).not.toHaveProperty('tasks')
    for (const method of ['tasks/list', 'tasks/result'])
      expect(await rawly(pair, method, { taskId: 'x' })).toMatchObject({ error: { code: -32601 } })
    const result = await pair.client.request('tools/call', {
      name: 'slow',
      arguments: {},
      task: { ttl: 5 },
    })
    expect(result['content']).toMatchObject([{ text: 'slowly done' }])
  })

  it('that nobody knows are told as such [TASKX-14]', async () => {
    const pair = await join([slow(optional)])
    for (const method of ['tasks/get', 'tasks/cancel'])
      await expect(pair.client.request(method, { taskId: 'x' })).rejects.toMatchObject({
        rpcCode: -32602,
      })
    await expect(
      pair.client.request('tasks/update', { taskId: 'x', inputResponses: {} }),
    ).rejects.toMatchObject({ rpcCode: -32602 })
  })

  it('are told on a listen stream that names them, and progress is not [TASKX-15, TASKX-21, SUB-15]', async () => {
    const work = gate()
    const pair = await join([slow(optional, work.opened)])
    const taskId = await created(pair, 'slow')
    const heard: JsonObject[] = []
    const listening = pair.client.request('subscriptions/listen', {
      notifications: { taskIds: [taskId, 'somebody else’s'] },
    })
    listening.catch(() => undefined)
    await expect
      .poll(() => ofMethod(pair, 'notifications/subscriptions/acknowledged').length)
      .toBe(1)
    expect(
      ofMethod(pair, 'notifications/subscriptions/acknowledged')[0]?.params?.['notifications'],
    ).toEqual({ taskIds: [taskId] })
    work.open()
    await expect.poll(() => ofMethod(pair, 'notifications/tasks').length).toBe(1)
    heard.push(...ofMethod(pair, 'notifications/tasks').map(({ params }) => params as JsonObject))
    expect(heard[0]).toMatchObject({ taskId, status: 'completed', result: { content: [{}] } })
    expect(heard[0]?.['_meta']).toHaveProperty(['io.modelcontextprotocol/subscriptionId'])
    expect(ofMethod(pair, 'notifications/progress')).toEqual([])
  })
})

describe('tasks of 2025-11-25', () => {
  const join = (
    tools: readonly ReturnType<typeof defineTool>[],
    client: ClientOptions = { answers },
  ): Promise<Pair> => pairUp('2025-11-25', { tools, tasks: QUICK }, client)

  it('are asked for by the caller, looked at, and their result is what the call would have given [TASK-01, TASK-02, TASK-05, TASK-06, TASK-08, TASK-09]', async () => {
    const pair = await join([slow(optional)])
    const seen: TaskState[] = []
    const result = await pair.client.callTool(
      'slow',
      {},
      { task: { ttlMs: 60_000 }, onTask: (task) => seen.push(task) },
    )
    expect(resultToText(result)).toBe('slowly done')
    expect(answerTo(pair, 'tools/call')?.result).toMatchObject({
      task: { status: 'working', ttl: 60_000, pollInterval: 50 },
    })
    const task = answerTo(pair, 'tools/call')?.result?.['task'] as { [member: string]: string }
    for (const at of ['createdAt', 'lastUpdatedAt'])
      expect(task[at]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(answerTo(pair, 'tasks/result')?.result?.['_meta']).toEqual({
      'io.modelcontextprotocol/related-task': { taskId: task['taskId'] },
    })
    expect(seen.map(({ taskId }) => taskId)).toEqual(seen.map(() => task['taskId']))
  })

  it('are not made unasked, nor of tools that have none; and some tools want nothing else [TASK-03, TASK-04, TOOL-26]', async () => {
    const plain = defineTool({ name: 'plain', run: () => 'plain' })
    const must = { ...slow(required), tool: named('must') }
    const pair = await join([slow(optional), plain, must])
    expect((await pair.client.listTools()).map(({ execution }) => execution)).toEqual([
      { taskSupport: 'optional' },
      undefined,
      { taskSupport: 'required' },
    ])
    expect(resultToText(await pair.client.callTool('slow'))).toBe('slowly done')
    await expect(
      pair.client.request('tools/call', { name: 'plain', arguments: {}, task: {} }),
    ).rejects.toMatchObject({ rpcCode: -32601 })
    await expect(
      pair.client.request('tools/call', { name: 'must', arguments: {} }),
    ).rejects.toMatchObject({ rpcCode: -32601 })
    expect(resultToText(await pair.client.callTool('must'))).toBe('slowly done')
  })

  it('ask on the stream of whoever waits for the result [TASK-10, META-16]', async () => {
    const pair = await join([asking])
    expect(resultToText(await pair.client.callTool('asking', {}, { task: {} }))).toBe('Ann Ann')
    const questions = ofMethod(pair, 'elicitation/create')
    expect(questions).toHaveLength(2)
    for (const { params } of questions)
      expect(params?.['_meta']).toHaveProperty(['io.modelcontextprotocol/related-task'])
  })

  it('fail with a tool that failed, and give the error of the protocol as the call would [TASK-09, TASK-13]', async () => {
    const pair = await join([failing, refusing])
    expect(await pair.client.callTool('failing', {}, { task: {} })).toMatchObject({ isError: true })
    expect(answerTo(pair, 'tasks/get')?.result).toMatchObject({ status: 'failed' })
    await expect(pair.client.callTool('refusing', {}, { task: {} })).rejects.toMatchObject({
      rpcCode: -31999,
    })
  })

  it('are cancelled before the answer says so, once [TASK-07, TASK-11, CANC-05]', async () => {
    const pair = await join([slow(optional, new Promise(() => {}))])
    const raw = await rawClient(pair.server)
    await raw.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    })
    const { result } = await raw.ask('tools/call', { name: 'slow', arguments: {}, task: {} })
    const { taskId } = (result as { task: { taskId: string } }).task
    expect(await pair.client.request('tasks/cancel', { taskId })).toMatchObject({
      taskId,
      status: 'cancelled',
    })
    await expect(pair.client.request('tasks/cancel', { taskId })).rejects.toMatchObject({
      rpcCode: -32602,
    })
    await expect(pair.client.request('tasks/get', { taskId: 'x' })).rejects.toMatchObject({
      rpcCode: -32602,
    }) // TASK-12
    await raw.close()
  })

  it('keep telling progress by the token of the call until they end [PROG-07]', async () => {
    const work = gate()
    const telling = defineTool({
      name: 'telling',
      task: optional,
      async run(_args, ctx) {
        await work.opened
        ctx.progress({ progress: 1, total: 2 })
        return 'told'
      },
    })
    const pair = await join([telling])
    const called = pair.client.callTool('telling', {}, { task: {}, onTask: () => work.open() })
    expect(resultToText(await called)).toBe('told')
    const [call] = ofMethod(pair, 'tools/call')
    const meta = call?.params?.['_meta'] as { progressToken: number }
    const token = meta.progressToken
    expect(ofMethod(pair, 'notifications/progress')).toMatchObject([
      { params: { progressToken: token, progress: 1 } },
    ])
  })

  it('are not made because of the extension, which a client may declare for other servers [TASKX-20]', async () => {
    const pair = await join([slow(optional)], following)
    expect(resultToText(await pair.client.callTool('slow'))).toBe('slowly done')
    expect(answerTo(pair, 'tools/call')?.result).not.toHaveProperty('task')
    expect(ofMethod(pair, 'tasks/get')).toEqual([])
  })

  it('are listed for whoever is known, and to nobody else [TASK-12, TASK-14]', async () => {
    const pair = await join([slow(optional)])
    expect(pair.client.server.capabilities.tasks).not.toHaveProperty('list')
    await expect(pair.client.request('tasks/list')).rejects.toMatchObject({
      code: 'DP_CAPABILITY_MISSING',
    })
  })
})

describe.each(['2024-11-05', '2025-03-26', '2025-06-18'] as const)('at %s', (revision) => {
  it('there are no tasks: a tool that may be one is answered when it is done', async () => {
    const pair = await pairUp(revision, { tools: [slow(required)], tasks: true })
    expect(resultToText(await pair.client.callTool('slow'))).toBe('slowly done')
    expect(pair.client.server.capabilities).not.toHaveProperty('tasks')
  })
})

function named(name: string): ReturnType<typeof defineTool>['tool'] {
  return { ...slow(optional).tool, name }
}

/** Asks the server by hand what the client would not ask by itself. */
async function rawly(
  { server, client }: Pair,
  method: string,
  params: JsonObject,
  extensions: JsonObject = { [TASKS_EXTENSION_ID]: {} },
): Promise<JsonObject> {
  const elicitation = { form: {} }
  const envelope = envelopeOf(client.server.revision, { extensions, elicitation })
  const raw = await rawClient(server, envelope)
  const answer = await raw.ask(method, params)
  await raw.close()
  return answer
}

/** A task that nobody follows, by its id. */
async function created(pair: Pair, name: string): Promise<string> {
  const { result } = await rawly(pair, 'tools/call', { name, arguments: {} })
  return (result as { taskId: string }).taskId
}
