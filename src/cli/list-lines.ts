/** What a server lists as lines for people: a name and what it is about, in two columns, cut to the terminal. */

import { cutToWidth, displayWidth, terminalText } from '../base/terminal-text.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { displayName } from '../tools/display.ts'

/** One entry, in a peer's words. */
export interface ListEntry {
  readonly name: string
  readonly about: string
}

/** Columns that names may take before what follows is no longer aligned. */
const MAX_NAME = 40

/** One line an entry. Without `columns` nothing is cut. */
export function listLines(
  entries: readonly ListEntry[],
  columns: number | undefined,
): readonly string[] {
  const names = entries.map(({ name }) => terminalText(name))
  const widths = names.map(displayWidth)
  const most = Math.min(MAX_NAME, columns === undefined ? MAX_NAME : Math.floor(columns / 2))
  const column = Math.max(0, ...widths.filter((width) => width <= most))
  return entries.map(({ about }, at) => {
    const gap = ' '.repeat(Math.max(0, column - (widths[at] ?? 0)) + 2)
    const line = `${names[at]}${gap}${terminalText(about)}`.trimEnd()
    return columns === undefined ? line : cutToWidth(line, columns)
  })
}

/** The same for tools. */
export function toolLines(tools: readonly Tool[], columns: number | undefined): readonly string[] {
  return listLines(
    tools.map((tool) => ({ name: tool.name, about: aboutOf(tool, displayName(tool)) })),
    columns,
  )
}

/** The first line of a tool's description that says something, else its title; safe for a terminal. */
export function aboutTool(tool: Tool): string {
  return terminalText(aboutOf(tool, displayName(tool)))
}

/** The first line of a description that says something, else the title where it says more than the name. Peer text. */
export function aboutOf(
  { name, description }: { readonly name: string; readonly description?: unknown },
  title: unknown,
): string {
  const text = typeof description === 'string' ? description : ''
  const first = text.split(/\r\n|[\n\r\u2028\u2029]/).find((line) => line.trim() !== '')
  const shown = typeof title === 'string' && title !== name ? title : ''
  return (first ?? shown).trim()
}
