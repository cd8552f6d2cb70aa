/**
 * What the protocol can do, as rows of the table: in which revisions there is such a thing, and what must be seen when it is
 * used. A row that a revision does not have says what is to be seen there instead.
 */

import { expect } from 'vitest'
import type { Change } from '../../../src/client/change-queue.ts'
import type { Client } from '../../../src/client/client.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Dialect } from '../../../src/protocol/dialect.ts'
import type { LoggingMessage } from '../../../src/protocol/types/logging.ts'
import type { CallToolResult } from '../../../src/protocol/types/tools.ts'
import { resultToText } from '../../../src/tools/content.ts'
import type { JudgedWire } from '../../support/judged-wire.ts'
import { PNG } from './table-server.ts'

/** One client that is connected over one way in one revision. */
export interface Stage {
  readonly client: Client
  readonly dialect: Dialect
  readonly wire: JudgedWire
  readonly logs: LoggingMessage[]
}

export interface Feature {
  /** A sentence about it, with the requirements it shows. */
  readonly title: string
  run(stage: Stage): Promise<void>
}

const call = ({ client }: Stage, name: string, args?: JsonObject): Promise<CallToolResult> =>
  client.callTool(name, args)

const textOf = async (stage: Stage, name: string, args?: JsonObject): Promise<string> =>
  resultToText(await call(stage, name, args))

const has = ({ dialect }: Stage, method: string): boolean => dialect.methods.has(method)
const modern = ({ dialect }: Stage): boolean => dialect.era === 'modern'

/** Blocks that the revision has a word for; others come as text. */
const BLOCKS: { readonly [kind: string]: string } = {
  audio: '2025-03-26',
  resource_link: '2025-06-18',
}
const knows = ({ dialect }: Stage, since: string): boolean => dialect.revision >= since

export const FEATURES: readonly Feature[] = [
  {
    title:
      'names, capabilities and instructions are learned in the opening [LIFE-03, LIFE-16, LIFE-17]',
    run({ client, dialect }) {
      expect(client.server).toMatchObject({
        revision: dialect.revision,
        era: dialect.era,
        info: { name: 'table', version: '1.0.0' },
        instructions: 'For tests.',
        capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
      })
      return Promise.resolve()
    },
  },
  {
    title: 'lists come whole, page by page [PAGE-01, PAGE-02, PAGE-03]',
    async run({ client, wire }) {
      const tools = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'change']))
      expect(tools.length).toBeGreaterThan(14)
      const pages = wire.messages.filter(({ message }) => message['method'] === 'tools/list')
      expect(pages.length).toBeGreaterThan(2)
      expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
        'table://text',
        'table://bytes',
        'table://asks',
      ])
      expect(await client.listResourceTemplates()).toMatchObject([
        { uriTemplate: 'table://item/{id}' },
      ])
      expect((await client.listPrompts()).map(({ name }) => name)).toEqual([
        'plain',
        'letter',
        'asks',
      ])
    },
  },
  {
    title: 'a tool is called and answers [TOOL-12]',
    async run(stage) {
      expect(await textOf(stage, 'echo', { text: 'héllo 北京 \u2028 "q"' })).toBe(
        'héllo 北京 \u2028 "q"',
      )
    },
  },
  {
    title: 'fifty calls at once each get their own answer [RPC-06]',
    async run(stage) {
      const texts = Array.from({ length: 50 }, (_, index) => `call ${index}`)
      expect(await Promise.all(texts.map((text) => textOf(stage, 'echo', { text })))).toEqual(texts)
    },
  },
  {
    title:
      'structured results keep their form, or are told as text where they cannot [TOOL-07, TOOL-09, TOOL-10, TOOL-11]',
    async run(stage) {
      const sum = await call(stage, 'sum', { a: 1.5, b: 2 })
      expect(sum.structuredContent).toEqual({ sum: 3.5 })
      expect(JSON.parse(resultToText(sum))).toEqual({ sum: 3.5 })
      const list = await call(stage, 'list')
      expect(list.structuredContent).toEqual(modern(stage) ? [1, 2] : undefined)
      expect(JSON.parse(resultToText(list))).toEqual([1, 2])
    },
  },
  {
    title:
      'blocks of every kind arrive, newer ones as text where the revision has no word for them [TOOL-13, PRMT-06]',
    async run(stage) {
      const { content } = await call(stage, 'blocks')
      const kinds = ['text', 'image', 'audio', 'resource', 'resource_link']
      expect(content.map(({ type }) => type)).toEqual(
        kinds.map((kind) => (knows(stage, BLOCKS[kind] ?? '') ? kind : 'text')),
      )
      expect(content[1]).toMatchObject({ data: PNG, mimeType: 'image/png' })
    },
  },
  {
    title: 'a tool that fails says why, one that breaks says nothing of it [TOOL-14, TOOL-15]',
    async run(stage) {
      expect(await call(stage, 'fail')).toMatchObject({
        isError: true,
        content: [{ text: 'out of paper' }],
      })
      const broken = await call(stage, 'break')
      expect(broken.isError).toBe(true)
      expect(resultToText(broken)).not.toContain('secret')
      await expect(call(stage, 'no such tool')).rejects.toMatchObject({
        code: 'DP_RPC_ERROR',
        rpcCode: -32602,
      })
    },
  },
  {
    title: 'progress comes in order, before the answer [PROG-01, PROG-02, PROG-03, PROG-05]',
    async run({ client }) {
      const seen: number[] = []
      const result = await client.callTool(
        'steps',
        { count: 3 },
        { onProgress: ({ progress }) => void seen.push(progress) },
      )
      expect(resultToText(result)).toBe('done')
      expect(seen.at(-1)).toBe(3)
      expect(seen).toEqual([...seen].sort((a, b) => a - b))
    },
  },
  {
    title:
      'log messages come when they are wanted, from the level that is wanted [LOG-03, LOG-05, LOG-06]',
    async run({ client, logs }) {
      logs.length = 0
      await client.callTool('chatter', {}, { logLevel: 'warning' })
      await expect.poll(() => logs.map(({ level }) => level)).toContain('warning')
      expect(logs.find(({ level }) => level === 'warning')).toMatchObject({
        data: { big: true },
        logger: 'table',
      })
    },
  },
  {
    title: 'a call that is given up stops on the server [CANC-01, CANC-02, CANC-06, HTTP-81]',
    async run(stage) {
      const before = JSON.parse(await textOf(stage, 'memory')) as { cancelled: number }
      const controller = new AbortController()
      const given = stage.client.callTool('wait', {}, { signal: controller.signal })
      const memory = async (): Promise<{ cancelled: number; waiting: number }> =>
        JSON.parse(await textOf(stage, 'memory')) as { cancelled: number; waiting: number }
      await expect.poll(async () => (await memory()).waiting).toBeGreaterThan(before.cancelled)
      controller.abort('changed my mind')
      await expect(given).rejects.toMatchObject({ code: 'DP_CANCELLED' })
      await expect.poll(async () => (await memory()).cancelled).toBe(before.cancelled + 1)
    },
  },
  {
    title:
      'resources are read, as text, as bytes and by template; a missing one is told [RES-03, RES-04, ERR-02, ERR-03, ERR-04]',
    async run({ client }) {
      expect((await client.readResource('table://text')).contents).toMatchObject([
        { uri: 'table://text', text: 'plain words', mimeType: 'text/plain' },
      ])
      expect((await client.readResource('table://bytes')).contents).toMatchObject([{ blob: PNG }])
      expect((await client.readResource('table://item/7%2F8')).contents).toMatchObject([
        { uri: 'table://item/7%2F8', text: 'item 7/8' },
      ])
      await expect(client.readResource('table://nothing')).rejects.toMatchObject({
        code: 'DP_RPC_ERROR',
        data: { uri: 'table://nothing' },
      })
    },
  },
  {
    title: 'prompts are filled in, and a missing argument is told [PRMT-03, PRMT-04, PRMT-05]',
    async run({ client }) {
      expect((await client.getPrompt('plain')).messages).toMatchObject([
        { role: 'user', content: { type: 'text', text: 'Hello' } },
      ])
      expect(
        (await client.getPrompt('letter', { to: 'Ann', tone: 'warmly' })).messages,
      ).toMatchObject([
        { role: 'user', content: { text: 'Write to Ann, warmly.' } },
        { role: 'assistant', content: { type: 'resource', resource: { text: 'plain words' } } },
      ])
      await expect(client.getPrompt('letter', {})).rejects.toMatchObject({ rpcCode: -32602 })
      await expect(client.getPrompt('none')).rejects.toMatchObject({ rpcCode: -32602 })
    },
  },
  {
    title:
      'arguments are completed, with those that are decided in mind [COMP-02, COMP-03, COMP-04]',
    async run(stage) {
      const { client } = stage
      const letter = { type: 'ref/prompt', name: 'letter' } as const
      const f = await client.complete(letter, { name: 'tone', value: 'f' })
      expect(f.values).toEqual(['formal', 'friendly'])
      if (knows(stage, '2025-06-18')) {
        const a = await client.complete(letter, { name: 'tone', value: 'An' }, { to: 'Ann' })
        expect(a.values).toEqual(['Ann'])
      }
      const item = { type: 'ref/resource', uri: 'table://item/{id}' } as const
      expect((await client.complete(item, { name: 'id', value: 't' })).values).toEqual([
        'two',
        'three',
      ])
    },
  },
  {
    title:
      'a person is asked by a form, where the revision has forms [ELIC-01, ELIC-03, ELIC-10, ELIC-11, MRTR-06]',
    async run(stage) {
      const asks = knows(stage, '2025-06-18')
      const result = await call(stage, 'ask_form')
      if (asks) expect(JSON.parse(resultToText(result))).toMatchObject({ name: 'Ann', age: 40 })
      else expect(result.isError).toBe(true)
      if (asks) expect(await textOf(stage, 'ask_twice')).toBe('Ann and Ann')
    },
  },
  {
    title: 'a person is sent to a URL, where the revision has that [ELIC-14, ELIC-15, ELIC-19]',
    async run(stage) {
      const result = await call(stage, 'ask_url')
      if (knows(stage, '2025-11-25')) expect(resultToText(result)).toBe('accept')
      else expect(result.isError).toBe(true)
    },
  },
  {
    title: 'a model is asked, and roots are [SAMP-02, SAMP-03, SAMP-13, ROOT-02, ROOT-03, ROOT-04]',
    async run(stage) {
      expect(await textOf(stage, 'ask_model')).toBe('word')
      expect(await textOf(stage, 'ask_roots')).toBe('file:///tmp')
    },
  },
  {
    title:
      'prompts and resources ask as tools do, where results carry questions [MRTR-01, PRMT-09, RES-14]',
    async run(stage) {
      if (!knows(stage, '2025-06-18')) return
      expect((await stage.client.getPrompt('asks')).messages).toMatchObject([
        { content: { text: 'Hello Ann' } },
      ])
      expect((await stage.client.readResource('table://asks')).contents).toMatchObject([
        { text: 'for Ann' },
      ])
    },
  },
  {
    title:
      'a call becomes a task that asks and ends, where the revision has tasks [TASK-05, TASK-09, TASK-10, TASKX-04, TASKX-09]',
    async run(stage) {
      if (!knows(stage, '2025-06-18')) return
      const seen: string[] = []
      const result = await stage.client.callTool(
        'job',
        {},
        { task: {}, onTask: ({ status }) => void seen.push(status) },
      )
      expect(resultToText(result)).toBe('done for Ann')
      expect(seen.length > 0).toBe(knows(stage, '2025-11-25'))
    },
  },
  {
    title:
      'changes are told to whoever listens, each kind to those who want it [TOOL-23, RES-05, RES-06, RES-07, PRMT-07, SUB-01, SUB-02, SUB-03]',
    async run(stage) {
      const filter = { tools: true, prompts: true, resources: true, uris: ['table://text'] }
      const heard: Change[] = []
      const changes = stage.client.changes(filter)
      const listening = (async () => {
        for await (const change of changes) heard.push(change)
      })()
      await expect.poll(() => opened(stage), { message: 'the stream is open' }).toBe(true)
      for (const what of ['tools', 'prompts', 'resources', 'resource']) {
        await call(stage, 'change', { what })
        const kind = what
        await expect.poll(() => heard.some((change) => change.kind === kind)).toBe(true)
      }
      await changes.return?.()
      await listening
      for (const what of ['tools', 'prompts', 'resources']) await call(stage, 'change', { what })
    },
  },
  {
    title: 'the session answers a ping, where there is one [PING-01, PING-04]',
    async run(stage) {
      if (has(stage, 'ping')) expect(await stage.client.request('ping')).toEqual({})
      else
        await expect(stage.client.request('ping')).rejects.toMatchObject({
          code: 'DP_CAPABILITY_METHOD',
        })
    },
  },
  {
    title: 'the context of a trace travels with the call [META-13]',
    async run({ client }) {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const result = await client.request('tools/call', {
        name: 'trace',
        arguments: {},
        _meta: { traceparent, 'test.example/mine': 1 },
      })
      expect(result['content']).toMatchObject([
        { text: JSON.stringify({ traceparent, meta: { 'test.example/mine': 1 } }) },
      ])
    },
  },
  {
    title: 'an unknown method is an error, and the connection goes on [ERR-14]',
    async run(stage) {
      await expect(stage.client.request('no/such')).rejects.toMatchObject({
        family: 'capability',
      })
      expect(await textOf(stage, 'echo', { text: 'still here' })).toBe('still here')
    },
  },
  {
    title: 'a megabyte goes there and back',
    async run(stage) {
      const text = 'é'.repeat(500_000)
      expect((await textOf(stage, 'echo', { text })).length).toBe(text.length)
    },
  },
]

/** Whether the server said that the listener hears it: by an acknowledgement, or by an answer to the last subscription. */
function opened(stage: Stage): boolean {
  const { messages } = stage.wire
  if (modern(stage))
    return (
      messages.at(-1) !== undefined &&
      messages.some(
        ({ message }) => message['method'] === 'notifications/subscriptions/acknowledged',
      )
    )
  const asked = messages.findLast(({ message }) => message['method'] === 'resources/subscribe')
  return messages.some(
    ({ direction, message }) =>
      direction === 'in' && message['id'] === asked?.message['id'] && 'result' in message,
  )
}
