/** The answers that a person is offered about the call of a command that makes no other, and about one of several. */
import { expect, it } from 'vitest'
import type { CallQuestion } from '../host/consent.ts'
import type { Choice } from './choose.ts'
import { terminalConsent } from './consent-terminal.ts'
import { hostEn } from './messages/host-en.ts'

const question: CallQuestion = {
  kind: 'call',
  server: 'files',
  tool: 'write',
  alias: 'files__write',
  args: {},
  argumentsHash: '00',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  trusted: false,
  reason: 'otherwise',
  message: 'No rule is about it.',
  pin: 'approved',
  lasting: true,
  warnings: [],
}

async function offered(
  isOneCall: boolean,
  asked: CallQuestion = question,
  labels: string[] = [],
): Promise<readonly string[]> {
  const values: string[] = []
  const consent = terminalConsent({
    words: hostEn.consent,
    size: () => ({ rows: 24, columns: 80 }),
    line: () => undefined,
    isOneCall,
    prompts: () =>
      Promise.resolve({
        choose<Value extends string>({ options }: Choice<Value>): Promise<Value | undefined> {
          values.push(...options.map(({ value }) => value))
          labels.push(...options.map(({ label }) => label))
          return Promise.resolve(undefined)
        },
        write: () => Promise.resolve(undefined),
      }),
  })
  await consent.ask(asked, new AbortController().signal)
  return values
}

it('is no yes for a session where the command ends with its call', async () => {
  expect(await offered(true)).toEqual([
    'deny',
    'deny-because',
    'once',
    'always-these-arguments',
    'always',
  ])
})

it('is one for a session where more calls may come', async () => {
  expect(await offered(false)).toContain('session')
})

it('says of a resource that a yes which lasts is for any of its server', async () => {
  const labels: string[] = []
  await offered(false, { ...question, tool: 'resources/read', alias: 'read_resource' }, labels)
  expect(labels.slice(3)).toEqual([
    'Yes, any resource of this server until the session ends',
    'Yes, always this resource',
    'Yes, always any resource of this server',
  ])
})
