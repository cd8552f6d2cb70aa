/** What a person can say to the program instead of to the model: words that begin with `/`. Pure. */

import { similarNames } from '../similar.ts'

/** All of them, in the order of their help. */
export const SLASH_COMMANDS = [
  'help',
  'tools',
  'servers',
  'restart',
  'why',
  'cost',
  'capture',
  'model',
  'reasoning',
  'compact',
  'clear',
  'exit',
] as const

export type SlashCommand = (typeof SLASH_COMMANDS)[number]

export type SlashWish =
  | { readonly kind: 'command'; readonly command: SlashCommand; readonly argument: string }
  /** No command of ours; `near` are names that were probably meant. */
  | { readonly kind: 'unknown'; readonly word: string; readonly near: readonly string[] }
  /** Said to the model. */
  | { readonly kind: 'message'; readonly text: string }

/** Other words for them. */
const OTHER_WORDS: ReadonlyMap<string, SlashCommand> = new Map([
  ['?', 'help'],
  ['quit', 'exit'],
  ['q', 'exit'],
  ['new', 'clear'],
])

/** Only one line that begins with `/` and a word is a command: paths and text of several lines are said to the model, as is what follows `//`. */
export function slashWish(text: string): SlashWish {
  const trimmed = text.trim()
  if (trimmed.startsWith('//')) return { kind: 'message', text: trimmed.slice(1) }
  const found = /^\/([\p{L}?][\p{L}\p{N}_-]{0,40})(?:[ \t]+(\S[^\n]*))?$/u.exec(trimmed)
  if (found === null) return { kind: 'message', text: trimmed }
  const [, word = '', argument = ''] = found
  const command = commandOf(word.toLowerCase())
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() }
  return { kind: 'unknown', word, near: similarNames(word, SLASH_COMMANDS) }
}

/** All commands that a beginning can become. */
export function completeSlash(beginning: string): readonly string[] {
  if (!/^\/[a-z]*$/.test(beginning)) return []
  return SLASH_COMMANDS.map((name) => `/${name}`).filter((name) => name.startsWith(beginning))
}

function commandOf(word: string): SlashCommand | undefined {
  return SLASH_COMMANDS.find((name) => name === word) ?? OTHER_WORDS.get(word)
}
