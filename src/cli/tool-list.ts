/** A list of tools as lines for people: name and first line of the description, cut to the terminal. */

import { cutToWidth, displayWidth, terminalText } from '../base/terminal-text.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { displayName } from '../tools/display.ts'

/** Columns that names may take before descriptions are no longer aligned. */
const MAX_NAME = 40

/** One line a tool. Without `columns` nothing is cut. */
export function toolLines(tools: readonly Tool[], columns: number | undefined): readonly string[] {
  const names = tools.map(({ name }) => terminalText(name))
  const widths = names.map(displayWidth)
  const most = Math.min(MAX_NAME, columns === undefined ? MAX_NAME : Math.floor(columns / 2))
  const column = Math.max(0, ...widths.filter((width) => width <= most))
  return tools.map((tool, at) => {
    const gap = ' '.repeat(Math.max(0, column - (widths[at] ?? 0)) + 2)
    const line = `${names[at]}${gap}${aboutTool(tool)}`.trimEnd()
    return columns === undefined ? line : cutToWidth(line, columns)
  })
}

/** The first line of a tool's description that says something, else its title, wherever that stands. */
export function aboutTool(tool: Tool): string {
  const first = (tool.description ?? '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .find((line) => line.trim() !== '')
  const shown = displayName(tool)
  return terminalText((first ?? (shown === tool.name ? '' : shown)).trim())
}
