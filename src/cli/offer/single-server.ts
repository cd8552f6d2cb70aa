/** The tools of one server without a configuration, cleaned as a host would clean them, under the names that the server gives. */

import { createHash } from 'node:crypto'
import type { HostTool } from '../../host/host-tool.ts'
import { shownTool } from '../../host/shown-tool.ts'
import type { Tool } from '../../protocol/types/tools.ts'
import { aliasOf } from '../../tools/names.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** There are no other tools that names could be taken for. */
const ALONE = { others: () => [], lookAlikes: () => [] }

/** One a tool, in its order. A name that no model takes becomes one that it does. */
export function toolsAlone(tools: readonly Tool[]): readonly HostTool[] {
  return tools.map((tool) => {
    const alias = NAME.test(tool.name) ? tool.name : aliasOf('', tool.name, sha256)
    return shownTool(tool, { server: undefined, alias, trusted: false, known: ALONE })
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
