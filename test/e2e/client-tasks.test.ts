/** A client of 2025-11-25 that answers questions as tasks: it says at once that it will, and is asked for the answer later. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Answers } from '../../src/client/options.ts'
import { scriptedServer, type ScriptedServer } from '../../src/testing/scripted-server.ts'

const FORM = { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
const open: Client[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

async function asked(answers: Answers): Promise<ScriptedServer> {
  const server = scriptedServer({}, { revision: '2025-11-25' })
  open.push(await connect(server, { answers, revisions: ['2025-11-25'] }))
  return server
}

/** The result of a question to the client, or its error. */
async function put(
  server: ScriptedServer,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  const answer = await server.ask(method, params)
  return 'result' in answer ? answer.result : { ...answer.error }
}

describe('a client that answers as tasks', () => {
  it('declares for which questions, and a server that asks for one comes back for the answer [TASK-01, TASK-05, TASK-06, TASK-09]', async () => {
    let answer = (): void => {}
    const server = await asked({
      tasks: true,
      elicitation: () =>
        new Promise((resolve) => {
          answer = () => resolve({ action: 'accept', content: {} })
        }),
    })
    const hello = server.seen.find(
      (message) => 'method' in message && message.method === 'initialize',
    )
    expect(hello).toMatchObject({
      params: {
        capabilities: { tasks: { cancel: {}, requests: { elicitation: { create: {} } } } },
      },
    })
    const { task } = (await put(server, 'elicitation/create', {
      ...FORM,
      task: { ttl: 5000 },
    })) as {
      task: { taskId: string }
    }
    expect(task).toMatchObject({ status: 'working', ttl: 5000 })
    const { taskId } = task
    expect(await put(server, 'tasks/get', { taskId })).toMatchObject({ taskId, status: 'working' })
    const result = put(server, 'tasks/result', { taskId })
    answer()
    expect(await result).toEqual({
      action: 'accept',
      content: {},
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    })
    expect(await put(server, 'tasks/get', { taskId })).toMatchObject({ status: 'completed' })
  })

  it('stops asking the person when the task is cancelled, once [TASK-11]', async () => {
    const signals: AbortSignal[] = []
    const server = await asked({
      tasks: true,
      elicitation: (_params, { signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const { task } = (await put(server, 'elicitation/create', { ...FORM, task: {} })) as {
      task: { taskId: string }
    }
    const { taskId } = task
    expect(await put(server, 'tasks/cancel', { taskId })).toMatchObject({ status: 'cancelled' })
    expect(signals[0]?.aborted).toBe(true)
    expect(await put(server, 'tasks/cancel', { taskId })).toMatchObject({ code: -32602 })
    expect(await put(server, 'tasks/get', { taskId: 'x' })).toMatchObject({ code: -32602 })
  })

  it('fails the task with the error that the question would have met', async () => {
    const server = await asked({
      tasks: true,
      sampling: () => Promise.reject(new Error('no model today')),
    })
    const params = { messages: [], maxTokens: 5, task: {} }
    const { task } = (await put(server, 'sampling/createMessage', params)) as {
      task: { taskId: string }
    }
    const { taskId } = task
    expect(await put(server, 'tasks/result', { taskId })).toMatchObject({ code: -32603 })
    expect(await put(server, 'tasks/get', { taskId })).toMatchObject({ status: 'failed' })
  })

  it('has none when it did not say so: the wish is ignored and the question answered [TASK-02]', async () => {
    const server = await asked({ elicitation: () => Promise.resolve({ action: 'decline' }) })
    expect(await put(server, 'elicitation/create', { ...FORM, task: {} })).toEqual({
      action: 'decline',
    })
    expect(await put(server, 'tasks/get', { taskId: 'x' })).toMatchObject({ code: -32601 })
  })
})
