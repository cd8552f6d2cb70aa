/** Whether a model can read what the results of a server link to. */

import type { Host } from '../host/host.ts'
import type { HostTool } from '../host/host-tool.ts'

/**
 * `reader` is the tool for resources as the model has it, if so. A host that does not say from which servers it reads is taken to
 * read from all.
 */
export function readsLinks(
  reader: HostTool | undefined,
  { server }: { readonly server: string | undefined },
  host: Partial<Pick<Host, 'readable'>>,
): boolean {
  if (reader?.readsResources !== true || server === undefined) return false
  return host.readable?.().includes(server) ?? true
}
