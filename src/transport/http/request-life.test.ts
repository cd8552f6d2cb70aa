/**
 * Whatever a server does, and in whatever order: every request ends exactly once, nothing is thrown, and a closed link
 * leaves nothing. Servers are thrown by dice; the seed of a run stands in its title.
 */
import { describe, expect, it } from 'vitest'
import {
  LEGACY,
  linkStage,
  MODERN,
  turn,
  type LinkStage,
} from '../../../test/support/http/link-stage.ts'
import {
  answerTo,
  eventOf,
  type ScriptedCall,
} from '../../../test/support/http/scripted-exchange.ts'
import { dice, type Dice } from '../../../test/support/seeded.ts'
import { isBatch, readText } from '../../jsonrpc/channel.ts'

const STATUSES = [
  200, 200, 200, 200, 202, 204, 301, 307, 400, 401, 403, 404, 405, 413, 429, 500, 503,
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/event-stream',
  'text/event-stream',
  'text/html',
  '',
]
const SCRAPS = [
  'null',
  '[]',
  '{',
  '{}',
  '"\ud800"',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}',
  '{"jsonrpc":"2.0","id":99999,"result":{}}',
  '<html>',
  '\u0000',
  '[[[[',
  'data: {"jsonrpc":"2.0","method":"m"}\n\n',
  'id: e1\ndata:\n\n',
  'retry: 5\n\n',
  ': \n\n',
  'event: endpoint\ndata: /x\n\n',
]

/** One step of a server with one call; the call may be over already. */
function step(call: ScriptedCall, rolled: Dice): void {
  const posted = call.request.body === undefined ? undefined : call.message
  switch (rolled.between(0, 9)) {
    case 0:
      return void call.sending()
    case 1:
      return void call.left()
    case 2:
      return head(call, rolled)
    case 3:
      return void call.data(rolled.pick(SCRAPS))
    case 4:
      return void call.data(Uint8Array.from({ length: 40 }, () => rolled.between(0, 255)))
    case 5:
      return void call.data('x'.repeat(rolled.between(1, 300)))
    case 6:
      if (posted?.id !== undefined) call.data(eventOf(answerTo(call), 'id: a\n'))
      return
    case 7:
      if (posted?.id !== undefined) call.data(JSON.stringify(answerTo(call)))
      return
    case 8:
      return void call.end()
    default:
      return void call.fail()
  }
}

/** Calls that have their head, for a second one never comes. */
const headed = new WeakSet<ScriptedCall>()

function head(call: ScriptedCall, rolled: Dice): void {
  if (headed.has(call)) return
  headed.add(call)
  const type = rolled.pick(TYPES)
  call.head(rolled.pick(STATUSES), {
    ...(type === '' ? {} : { 'content-type': type }),
    ...(rolled.chance(0.2) ? { 'mcp-session-id': rolled.pick(['s', 'bad id', '']) } : {}),
    ...(rolled.chance(0.2) ? { location: rolled.pick(['/b', 'https://evil.test/', '::']) } : {}),
  })
}

/** The steps that only make sense behind a head. */
function play(call: ScriptedCall, rolled: Dice): void {
  if (!headed.has(call) && rolled.chance(0.8)) head(call, rolled)
  if (headed.has(call)) return step(call, rolled)
  if (rolled.chance(0.5)) call.sending()
  else call.fail()
}

async function run(seed: number): Promise<void> {
  const rolled = dice(seed)
  const stage = await linkStage({ maxMessageBytes: 250 })
  const asked = new Set<number>()
  const abandoned = new Set<number>()
  let next = 1
  let agreed = false
  for (let round = 0; round < 60; round += 1) {
    const what = rolled.between(0, 11)
    if (what <= 1) {
      stage.ask(next, 'tools/list')
      asked.add(next)
      next += 1
    } else if (what === 2) stage.tell('notifications/x')
    else if (what === 3 && !agreed) {
      agreed = true
      stage.link.settle?.(rolled.chance(0.7) ? LEGACY : MODERN)
    } else if (what === 4 && asked.size > 0) {
      const id = rolled.pick([...asked])
      if (!isOver(stage, id)) {
        stage.link.abandon?.(id)
        abandoned.add(id)
      }
    } else if (what === 5) await stage.clock.advance(rolled.pick([0, 100, 1000, 5000, 40_000]))
    else if (what === 6) await turn()
    else if (stage.http.calls.length > 0) play(rolled.pick(stage.http.calls), rolled)
  }
  // From here on nothing works any more, for as long as it takes.
  for (let time = 0; time < 12; time += 1) {
    for (const call of stage.http.calls) call.fail()
    await stage.clock.advance(60_000)
  }
  check(stage, asked, abandoned)
  const closing = stage.link.close()
  await stage.clock.advance(10_000)
  await closing
  expect([stage.clock.pending, stage.link.backlogMessages, stage.link.backlogBytes]).toEqual([
    0, 0, 0,
  ])
  expect(stage.port.ends).toEqual([undefined])
}

/** How often a request was ended: by a failure, by an answer, or by a piece that was its answer. */
function ends({ port }: LinkStage, id: number): number {
  const failed = port.failures.filter((one) => one.id === id).length
  const answered = port.texts.filter((text) => endsRequest(text, id)).length
  const unread = port.pieces.filter(({ head }) =>
    new TextDecoder().decode(head).includes(`"id":${id},"result"`),
  ).length
  return failed + Math.min(1, answered + unread)
}

/** Whether a peer that reads this text takes it for the answer. */
function endsRequest(text: string, id: number): boolean {
  const reading = readText(text)
  if (isBatch(reading)) return false // nobody agreed on batches here
  if (reading.kind === 'malformed') return reading.answer === true && reading.id === id
  return reading.kind === 'result' && reading.message.id === id
}

function isOver(stage: LinkStage, id: number): boolean {
  return ends(stage, id) > 0
}

function check(stage: LinkStage, asked: ReadonlySet<number>, abandoned: ReadonlySet<number>): void {
  const wrong = [...asked].filter((id) => ends(stage, id) !== (abandoned.has(id) ? 0 : 1))
  expect(wrong.map((id) => [id, ends(stage, id), abandoned.has(id)])).toEqual([])
  expect(stage.port.ends).toEqual([])
}

describe('a request over HTTP', () => {
  it.each(Array.from({ length: 400 }, (_, at) => 5000 + at))(
    'ends exactly once, whatever the server does (seed %i)',
    async (seed) => {
      await expect(run(seed)).resolves.toBeUndefined()
    },
  )
})
