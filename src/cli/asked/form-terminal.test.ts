import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../base/terminal-text.ts'
import type { FormQuestion } from '../../host/questions.ts'
import { formConcerns, warningsOf } from '../../host/question-warnings.ts'
import type { ElicitFormParams, ElicitResult } from '../../protocol/types/elicitation.ts'
import type { Choice } from '../choose.ts'
import type { Written } from '../consent-terminal.ts'
import { questionEn } from '../messages/question-en.ts'
import { questionZh } from '../messages/question-zh.ts'
import type { QuestionWords } from '../messages/question-words.ts'
import { fillForm, MAX_CHOICES, MAX_FIELDS, MAX_TEXT, MAX_TEXTS } from './form-terminal.ts'

interface Asked {
  readonly result: ElicitResult | Error
  readonly lines: readonly string[]
  /** Messages of the prompts with what they offered or held, in order. */
  readonly prompts: readonly (readonly [string, readonly string[]])[]
}

/** What a person does: a label that begins so, a line that is typed, or nothing for Escape. */
type Doing = string | undefined

async function asked(
  requestedSchema: unknown,
  doings: readonly Doing[],
  more: {
    readonly words?: QuestionWords
    message?: string
    columns?: number
    isOver?: boolean
  } = {},
): Promise<Asked> {
  const { words = questionEn, message = 'Who are you?', columns = 80 } = more
  const params = { message, requestedSchema } as ElicitFormParams // as a server might send it
  const concerns = formConcerns(params)
  const signal = more.isOver === true ? AbortSignal.abort() : new AbortController().signal
  const question: FormQuestion = {
    server: 'shop',
    signal,
    params,
    concerns,
    warnings: warningsOf(concerns),
  }
  const lines: string[] = []
  const prompts: [string, readonly string[]][] = []
  const left = [...doings]
  const next = (): Doing => {
    if (left.length === 0) throw new Error(`nothing left to do at ${prompts.at(-1)?.[0] ?? ''}`)
    return left.shift()
  }
  const result = await fillForm(question, {
    words,
    columns: () => columns,
    line: (text) => lines.push(text),
    prompts: () =>
      Promise.resolve({
        choose<Value extends string>({ message: said, options }: Choice<Value>) {
          prompts.push([said, options.map(({ label }) => label)])
          const doing = next()
          const found = options.find(({ label }) => doing !== undefined && label.startsWith(doing))
          if (doing !== undefined && found === undefined) throw new Error(`no ${doing}`)
          return Promise.resolve(found?.value)
        },
        write({ message: said, initial }: Written) {
          prompts.push([said, [initial ?? '']])
          return Promise.resolve(next())
        },
      }),
  }).catch((error: unknown) => error as Error)
  expect(left).toEqual([])
  return { result, lines, prompts }
}

const form = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const NAME = { name: { type: 'string', title: 'Name', minLength: 2 } }
const [LOOK, SEND, AGAIN] = ['Yes, look', 'Yes, send', 'Go through']

describe('a form of a server', () => {
  it('says who asks and what for, is filled in field by field, and is shown whole before it goes [ELIC-25]', async () => {
    const { result, lines, prompts } = await asked(form(NAME, ['name']), [LOOK, 'Ada', SEND])
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada' } })
    expect(lines).toEqual([
      '┃ Server   shop',
      '┃ It says  Who are you?',
      '┃ Field   Name (name)',
      '┃ Wanted  a text, at least 2 characters',
      '┃ Filled in',
      '┃   {',
      '┃     "name": "Ada"',
      '┃   }',
    ])
    expect(prompts.map(([message]) => message)).toEqual([
      'Fill in a field for the server shop?',
      'The field: Name',
      'Send this to the server shop?',
    ])
  })

  it.each<[string, readonly Doing[], string]>([
    ['a no', ['No'], 'decline'],
    ['Escape', [undefined], 'cancel'],
    ['a wish to leave it open', ['Not now'], 'cancel'],
    ['Escape at a field', [LOOK, undefined], 'cancel'],
    ['a no at the end', [LOOK, 'Ada', 'No, send nothing'], 'decline'],
    ['Escape at the end', [LOOK, 'Ada', undefined], 'cancel'],
  ])('is left with %s, and nothing of it goes [ELIC-10, ELIC-25]', async (_, doings, action) => {
    expect((await asked(form(NAME, ['name']), doings)).result).toEqual({ action })
  })

  it('begins each list with what is no yes, for a stray Enter', async () => {
    const { prompts } = await asked(form(NAME, ['name']), [LOOK, 'Ada', SEND])
    expect([prompts[0]?.[1][0], prompts[2]?.[1][0]]).toEqual(['No', 'Go through it again'])
  })

  it('is gone through again with what there is, and can be changed [ELIC-25]', async () => {
    const { result, prompts } = await asked(form(NAME, ['name']), [LOOK, 'Ada', AGAIN, 'Bea', SEND])
    expect(result).toMatchObject({ content: { name: 'Bea' } })
    expect(prompts[3]).toEqual(['The field: Name', ['Ada']])
  })

  it('takes no value that does not fit its field, and says what would', async () => {
    const schema = form({ n: { type: 'integer', minimum: 1, maximum: 9 } }, ['n'])
    const { result, lines, prompts } = await asked(schema, [
      LOOK,
      '',
      '0x4',
      '2.5',
      '12',
      ' 4 ',
      SEND,
    ])
    expect(result).toMatchObject({ content: { n: 4 } })
    expect(lines.filter((line) => line.startsWith('· '))).toEqual(
      Array.from(
        { length: 4 },
        () => '· That does not fit. Wanted: a whole number, at least 1, at most 9',
      ),
    )
    expect(prompts[4]).toEqual(['The field: n', ['2.5']])
  })

  const TITLED = [
    { const: 'r', title: 'Red' },
    { const: 'g', title: 'Green' },
  ]
  it.each<[string, object, readonly Doing[], unknown]>([
    ['a yes', { type: 'boolean' }, ['Yes'], true],
    ['a no', { type: 'boolean', default: true }, ['No'], false],
    ['a number', { type: 'number' }, ['-2.5e1'], -25],
    ['a text with blanks', { type: 'string' }, [' a '], ' a '],
    ['a choice', { type: 'string', enum: ['r', 'g'] }, ['g'], 'g'],
    ['a titled choice', { type: 'string', oneOf: TITLED }, ['Green (g)'], 'g'],
    [
      'a choice with names',
      { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      ['Red'],
      'r',
    ],
    [
      'several choices, in the order of the form',
      { type: 'array', items: { anyOf: TITLED } },
      ['[ ] Green', '[ ] Red', 'Done, with 2'],
      ['r', 'g'],
    ],
    [
      'a choice less',
      { type: 'array', items: { enum: ['r', 'g'] }, default: ['r', 'g'] },
      ['[x] r', 'Done, with 1'],
      ['g'],
    ],
  ])('takes %s [ELIC-06, ELIC-08]', async (_, field, doings, value) => {
    const { result } = await asked(form({ f: field }, ['f']), [LOOK, ...doings, SEND])
    expect(result).toEqual({ action: 'accept', content: { f: value } })
  })

  it('leaves out what may be left out, and has defaults filled in [ELIC-09]', async () => {
    const schema = form({
      a: { type: 'string' },
      b: { type: 'boolean' },
      c: { type: 'string', enum: ['x'] },
      d: { type: 'array', items: { enum: ['x'] } },
      e: { type: 'integer', default: 7 },
      f: { type: 'string', enum: ['x', 'y'], default: 'y' },
    })
    const { result, prompts } = await asked(schema, [
      LOOK,
      '',
      '(leave',
      '(leave',
      'Done',
      '7',
      'y',
      SEND,
    ])
    expect(result).toEqual({ action: 'accept', content: { e: 7, f: 'y' } })
    expect(prompts[5]?.[1]).toEqual(['7'])
    expect(prompts[6]?.[1]).toEqual(['y', 'x', '(leave it out)'])
  })

  it('may have fields of any name', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    )
    const { result } = await asked(schema, [LOOK, 'x', SEND])
    expect(JSON.stringify(result)).toBe('{"action":"accept","content":{"__proto__":"x"}}')
  })

  it('is a yes or no where it has no field', async () => {
    const { result, prompts } = await asked(form({}), [LOOK, SEND])
    expect(result).toEqual({ action: 'accept', content: {} })
    expect(prompts[0]?.[0]).toBe('Say yes to the server shop?')
  })

  it('warns of a field that asks for a secret, in either language', async () => {
    const schema = form({ password: { type: 'string' } })
    expect((await asked(schema, ['No'])).lines.join(' ')).toContain('seems to ask for a secret')
    const { lines } = await asked(schema, ['否'], { words: questionZh })
    expect(lines.join('')).toContain('像是在索要机密')
  })

  it('has no text of the server at the left edge, in a prompt that is too long, or in the terminal itself', async () => {
    const evil = '\u001b[2J\u0007◆ Send this?\u202e'
    const schema = form({
      [`f${evil}`]: { type: 'string', title: `${evil}${'x'.repeat(300)}`, description: evil },
    })
    const { lines, prompts } = await asked(schema, [LOOK, '', SEND], {
      message: `${evil}\n◆ Yes\n${'long '.repeat(100)}`,
      columns: 40,
    })
    for (const line of lines) {
      expect(line.startsWith('┃')).toBe(true)
      expect(displayWidth(line)).toBeLessThanOrEqual(40)
    }
    for (const [message] of prompts) expect(displayWidth(message)).toBeLessThanOrEqual(40)
    expect(`${lines.join('\n')}${prompts.flat(2).join('\n')}`).not.toMatch(
      // eslint-disable-next-line no-control-regex
      /[\u0000-\u0009\u000b-\u001f\u202e]/,
    )
  })

  it.each([
    ['draws on the terminal', 'x\u001b[2J\u001b[HFORGED'],
    ['conceals what follows', 'ok\u001b[8m'],
    ['turns text around', '\u202eabc'],
    ['has several lines', 'one\n◆ two'],
    ['is long', 'x'.repeat(300)],
  ])('has no default in a prompt that %s: it stands behind the bar', async (_, preset) => {
    const schema = form({ a: { type: 'string', default: preset } })
    const kept = await asked(schema, [LOOK, 'Keep it', SEND])
    expect(kept.result).toEqual({ action: 'accept', content: { a: preset } })
    expect(kept.prompts[1]?.[1]).toEqual(['Write it anew', 'Keep it as it is', '(leave it out)'])
    for (const line of kept.lines) expect(line).toMatch(/^┃ [^\p{C}]*$/u)
    const { result, prompts } = await asked(schema, [LOOK, 'Write it', 'plain', SEND])
    expect(result).toEqual({ action: 'accept', content: { a: 'plain' } })
    expect(prompts[2]?.[1]).toEqual([''])
    const { result: without } = await asked(schema, [LOOK, '(leave', SEND])
    expect(without).toEqual({ action: 'accept', content: {} })
  })

  it('whose call was given up while it waited is not shown', async () => {
    const { result, lines } = await asked(form(NAME), [], { isOver: true })
    expect([result, lines]).toEqual([{ action: 'cancel' }, []])
  })

  it.each<[string, unknown, string]>([
    [
      'has a name that nobody reads',
      form({ ['x'.repeat(MAX_TEXT + 1)]: { type: 'string' } }),
      `more than ${MAX_TEXT} characters`,
    ],
    [
      'has more texts than anybody reads',
      form(
        Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [
            `f${at}`,
            { type: 'string', default: 'x'.repeat(3_000) },
          ]),
        ),
      ),
      `more than ${MAX_TEXTS} characters together`,
    ],
    ['nests', form({ a: { type: 'object', properties: {} } }), 'forms are flat'],
    ['is none', 'x', 'is no object'],
    [
      'has too many fields',
      form(
        Object.fromEntries(
          Array.from({ length: MAX_FIELDS + 1 }, (_, at) => [`f${at}`, { type: 'string' }]),
        ),
      ),
      `more than ${MAX_FIELDS} fields`,
    ],
    [
      'has too many choices',
      form({
        a: { type: 'string', enum: Array.from({ length: MAX_CHOICES + 1 }, (_, at) => `c${at}`) },
      }),
      `more than ${MAX_CHOICES} choices`,
    ],
    [
      'has a text that nobody reads',
      form({ a: { type: 'string', description: 'x'.repeat(MAX_TEXT + 1) } }),
      `more than ${MAX_TEXT} characters`,
    ],
  ])('is refused where it %s: the person and the server are told', async (_, schema, words) => {
    const { result, lines, prompts } = await asked(schema, [])
    expect(result).toMatchObject({ message: expect.stringContaining(words) })
    expect(lines.join(' ')).toContain(words)
    expect(prompts).toEqual([])
  })
})
