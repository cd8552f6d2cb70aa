/**
 * A form of a server, filled in at a terminal: who asks and what it says, then field by field, then all of it once more before it is
 * sent. Until the last answer nothing leaves, and what a stray Enter gives is never a yes. // ELIC-25
 *
 * All that the server wrote stands behind the bar, as with any question.
 */

import { cutToWidth, hidesText, terminalText } from '../../base/terminal-text.ts'
import { applyDefaults, type FormContent } from '../../client/form-defaults.ts'
import { refuse } from '../../client/refuse.ts'
import type { FormQuestion } from '../../host/questions.ts'
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitValue,
} from '../../protocol/types/elicitation.ts'
import { formFault } from '../../tools/form.ts'
import { barred, jsonLines, rowLines, type Row } from '../consent-view.ts'
import { MARGIN, type Prompts } from '../consent-terminal.ts'
import { formFields, takes, typedValue, type FormChoice, type FormField } from './form-fields.ts'
import type { QuestionWords } from '../messages/question-words.ts'

export interface AskedOptions {
  readonly words: QuestionWords
  readonly columns: () => number
  /** Writes a line that is safe and broken already. */
  readonly line: (text: string) => void
  readonly prompts: () => Promise<Prompts>
  /** Hears of Ctrl-C at a question, before nothing is answered. */
  readonly onInterrupt?: () => void
}

/** Most fields of a form, and most choices of a field: beyond that it is nothing that a person fills in at a terminal. */
export const MAX_FIELDS = 100
export const MAX_CHOICES = 200
/** Longest text of a form, in UTF-16 units: nobody reads more before saying yes. */
export const MAX_TEXT = 4_000
/** All texts of a form together. */
export const MAX_TEXTS = 40_000
/** Longest text that stands in a prompt to be changed. */
const MAX_PRESET = 200

/** Stands before a remark of ours. */
const MARK = '· '
/** Longest title of a field in a prompt. */
const MAX_TITLE = 40

/** Rejects with a refusal for what is no form; it is told to the person and to the server. */
export async function fillForm(
  question: FormQuestion,
  options: AskedOptions,
): Promise<ElicitResult> {
  const server = terminalText(question.server)
  const { requestedSchema } = question.params
  // Its call was given up while it waited for the terminal.
  if (question.signal.aborted) return { action: 'cancel' }
  const fault = formFault(requestedSchema) ?? tooLarge(question.params)
  if (fault !== undefined) {
    options.line(MARK + terminalText(options.words.badForm(server, fault)))
    throw refuse(`The form cannot be filled in: its schema ${fault}.`)
  }
  const filling = new Filling(question, options, await options.prompts())
  return filling.ask()
}

function tooLarge({ message, requestedSchema }: ElicitFormParams): string | undefined {
  const fields = formFields(requestedSchema)
  const texts = [message, ...fields.flatMap(textsOf)]
  if (texts.some(({ length }) => length > MAX_TEXT))
    return `has a text of more than ${MAX_TEXT} characters`
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_TEXTS)
    return `has texts of more than ${MAX_TEXTS} characters together`
  if (fields.length > MAX_FIELDS) return `has more than ${MAX_FIELDS} fields`
  const long = fields.find(({ wish }) => 'choices' in wish && wish.choices.length > MAX_CHOICES)
  return long === undefined
    ? undefined
    : `has a field ${JSON.stringify(long.name.slice(0, 100))} of more than ${MAX_CHOICES} choices`
}

/** All that a server wrote in it. */
function textsOf({ name, title, description, schema, wish }: FormField): readonly string[] {
  const choices = 'choices' in wish ? wish.choices : []
  const preset = schema['default'] === undefined ? '' : JSON.stringify(schema['default'])
  return [name, title, description, preset, ...choices.flatMap((one) => [one.value, one.title])]
}

/** A field that is left out. */
const LEFT_OUT = Symbol('left out')
type Filled = ElicitValue | typeof LEFT_OUT

class Filling {
  readonly #question: FormQuestion
  readonly #options: AskedOptions
  readonly #prompts: Prompts
  readonly #fields: readonly FormField[]
  /** Columns at the time of a question. */
  #columns = 0

  constructor(question: FormQuestion, options: AskedOptions, prompts: Prompts) {
    this.#question = question
    this.#options = options
    this.#prompts = prompts
    this.#fields = formFields(question.params.requestedSchema)
  }

  async ask(): Promise<ElicitResult> {
    const { words } = this.#options
    const server = terminalText(this.#question.server)
    this.#show(this.#rows())
    const { fill } = words
    const begun = await this.#choose(words.mayFill(server, this.#fields.length), [
      { value: 'decline', label: fill.decline },
      { value: 'fill', label: fill.fill },
      { value: 'cancel', label: fill.cancel },
    ])
    if (begun === 'decline') return { action: 'decline' }
    if (begun !== 'fill') return { action: 'cancel' }
    let content: FormContent = applyDefaults(this.#question.params.requestedSchema) // ELIC-09
    for (;;) {
      const filled = await this.#all(content)
      if (filled === undefined) return { action: 'cancel' }
      content = filled
      const { send } = words
      this.#columns = this.#options.columns()
      for (const line of barred((room) => jsonLines(words.filledIn, content, room), this.#columns))
        this.#options.line(line)
      const sent = await this.#choose(words.maySend(server), [
        { value: 'change', label: send.change },
        { value: 'send', label: send.send },
        { value: 'decline', label: send.decline },
      ])
      if (sent === 'send') return { action: 'accept', content }
      if (sent === 'decline') return { action: 'decline' }
      if (sent === undefined) return { action: 'cancel' }
    }
  }

  #rows(): readonly Row[] {
    const { words } = this.#options
    const { server, params, concerns } = this.#question
    return [
      { name: words.server, text: terminalText(server) },
      { name: words.message, text: terminalText(params.message) },
      ...concerns.map((concern) => ({
        name: words.warning,
        text: terminalText(words.concern(concern)),
      })),
    ]
  }

  /** Every field in turn, with what it has by now; undefined when the person goes away. */
  async #all(before: FormContent): Promise<FormContent | undefined> {
    const values: [string, ElicitValue][] = []
    for (const [at, field] of this.#fields.entries()) {
      const value = await this.#one(field, at, ownValue(before, field.name))
      if (value === undefined) return undefined
      if (value !== LEFT_OUT) values.push([field.name, value])
    }
    // Entries are defined, not assigned: a field may be called `__proto__`.
    return Object.fromEntries(values)
  }

  async #one(
    field: FormField,
    at: number,
    before: ElicitValue | undefined,
  ): Promise<Filled | undefined> {
    const { words, line } = this.#options
    const { name, title, description, required, wish } = field
    const wanted = words.wish(wish) + (required ? '' : ` · ${words.optional}`)
    this.#show([
      { name: words.field, text: terminalText(title === '' ? name : `${title} (${name})`) },
      ...(description === '' ? [] : [{ name: words.about, text: terminalText(description) }]),
      { name: words.wanted, text: wanted },
    ])
    const named = cutToWidth(terminalText(title === '' ? name : title), MAX_TITLE)
    const message = `${words.fieldOf(at + 1, this.#fields.length)}: ${named}`
    for (;;) {
      const value = await this.#value(field, message, before)
      if (value === undefined || value === LEFT_OUT || takes(field, value)) return value
      line(`${MARK}${words.misfit} ${words.wanted}: ${wanted}`)
    }
  }

  #value(
    field: FormField,
    message: string,
    before: ElicitValue | undefined,
  ): Promise<Filled | undefined> {
    const { wish } = field
    if (wish.kind === 'boolean') return this.#yesOrNo(field, message, before)
    if (wish.kind === 'choice') return this.#choice(field, wish.choices, { message, before })
    if (wish.kind === 'choices') return this.#choices(field, wish.choices, { message, before })
    return this.#typed(field, message, before)
  }

  async #yesOrNo(
    field: FormField,
    message: string,
    before: ElicitValue | undefined,
  ): Promise<Filled | undefined> {
    const { yes, no } = this.#options.words
    const choices = [no, yes].map((word) => ({ value: word, title: word }))
    const preset = before === true ? yes : before === false ? no : undefined
    const chosen = await this.#choice(field, choices, { message, before: preset })
    return typeof chosen === 'string' ? chosen === yes : chosen
  }

  /** What there is already stands first, else nothing where that may be. */
  async #choice(
    { required }: FormField,
    choices: readonly FormChoice[],
    { message, before }: { readonly message: string; readonly before: ElicitValue | undefined },
  ): Promise<Filled | undefined> {
    const none = { value: NONE, label: this.#options.words.leaveOut }
    const all = choices.map(({ value, title }, at) => ({
      value: String(at),
      label: labelOf(value, title),
    }))
    const first = choices.findIndex(({ value }) => value === before)
    const listed = first < 0 ? all : [...all.slice(first, first + 1), ...all.toSpliced(first, 1)]
    const optional = required ? [] : [none]
    const options = first < 0 ? [...optional, ...listed] : [...listed, ...optional]
    const chosen = await this.#choose(message, options)
    if (chosen === undefined) return undefined
    return chosen === NONE ? LEFT_OUT : choices[Number(chosen)]?.value
  }

  async #choices(
    { required }: FormField,
    choices: readonly FormChoice[],
    { message, before }: { readonly message: string; readonly before: ElicitValue | undefined },
  ): Promise<Filled | undefined> {
    const { done } = this.#options.words
    const chosen = new Set<unknown>(Array.isArray(before) ? before : [])
    for (;;) {
      const options = choices.map(({ value, title }, at) => ({
        value: String(at),
        label: `${chosen.has(value) ? '[x]' : '[ ]'} ${labelOf(value, title)}`,
      }))
      const end = { value: NONE, label: done(chosen.size) }
      const picked = await this.#choose(message, [end, ...options])
      if (picked === undefined) return undefined
      if (picked === NONE) break
      const value = choices[Number(picked)]?.value
      if (!chosen.delete(value)) chosen.add(value)
    }
    const values = choices.map(({ value }) => value).filter((value) => chosen.has(value))
    return values.length === 0 && !required ? LEFT_OUT : values
  }

  /** An empty line leaves out what may be left out. */
  async #typed(
    field: FormField,
    message: string,
    before: ElicitValue | undefined,
  ): Promise<Filled | undefined> {
    const { words, line, onInterrupt } = this.#options
    const { signal } = this.#question
    const preset = before === undefined ? '' : String(before)
    if (!isPlain(preset)) {
      const kept = await this.#preset(field, message, preset)
      if (kept !== 'anew') return kept === 'keep' ? before : kept
    }
    let initial = isPlain(preset) ? preset : ''
    for (;;) {
      const cut = cutToWidth(message, this.#columns - MARGIN)
      const written = await this.#prompts.write({ message: cut, initial, signal, onInterrupt })
      if (written === undefined) return undefined
      if (written === '' && !field.required) return LEFT_OUT
      const value = typedValue(field, written)
      if (value !== undefined) return value
      initial = isPlain(written) ? written : ''
      line(`${MARK}${words.misfit} ${words.wanted}: ${words.wish(field.wish)}`)
    }
  }

  /** What could hide or draw something in a prompt stands behind the bar instead, and is kept or not. */
  async #preset(
    { required }: FormField,
    message: string,
    preset: string,
  ): Promise<'keep' | 'anew' | typeof LEFT_OUT | undefined> {
    const { words } = this.#options
    this.#show([{ name: words.preset, text: terminalText(preset) }])
    const chosen = await this.#choose(message, [
      { value: 'anew', label: words.anew },
      { value: 'keep', label: words.keep },
      ...(required ? [] : [{ value: NONE, label: words.leaveOut }]),
    ])
    if (chosen === NONE) return LEFT_OUT
    return chosen === 'keep' || chosen === 'anew' ? chosen : undefined
  }

  #show(rows: readonly Row[]): void {
    this.#columns = this.#options.columns()
    for (const line of barred((room) => rowLines(rows, room), this.#columns))
      this.#options.line(line)
  }

  #choose<Value extends string>(
    message: string,
    options: readonly { readonly value: Value; readonly label: string }[],
  ): Promise<Value | undefined> {
    const { signal } = this.#question
    const { onInterrupt } = this.#options
    const cut = cutToWidth(message, this.#columns - MARGIN)
    return this.#prompts.choose({ message: cut, options, signal, onInterrupt })
  }
}

/** No value of a list, which are numbers here. */
const NONE = 'none'
/** Longest label of a choice, in columns. */
const MAX_LABEL = 200

function labelOf(value: string, title: string): string {
  const text = title === value ? value : `${title} (${value})`
  return cutToWidth(terminalText(text), MAX_LABEL)
}

/** One line that a terminal draws as it is. */
function isPlain(text: string): boolean {
  return text.length <= MAX_PRESET && terminalText(text) === text && !hidesText(text)
}

function ownValue(content: FormContent, name: string): ElicitValue | undefined {
  return Object.hasOwn(content, name) ? content[name] : undefined
}
