/** The list of tools, and remembering it: what later calls are checked against. */

import type { Tool } from '../protocol/types/tools.ts'
import type { Caller } from './request.ts'
import { readList, type ListOptions } from './pages.ts'
import type { Standing } from './standing.ts'

/** Every tool, from all pages. */
export async function listTools(
  source: { readonly caller: Caller; readonly standing: Standing },
  options: ListOptions,
): Promise<readonly Tool[]> {
  const tools = await readList(source, 'tools/list', options)
  source.standing.checks.learn(tools)
  return tools
}
