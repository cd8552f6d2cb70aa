/** Tools as a host shows them, made of a name. */
import type { HostTool } from '../../src/host/host-tool.ts'

export function hostTool(alias: string, rest: Partial<HostTool> = {}): HostTool {
  const at = alias.indexOf('__')
  return {
    server: at < 0 ? undefined : alias.slice(0, at),
    name: at < 0 ? alias : alias.slice(at + 2),
    alias,
    inputSchema: { type: 'object' },
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    trusted: at < 0,
    warnings: [],
    ...rest,
  }
}

/** An input schema whose parameters are all texts. */
export function takes(...names: readonly string[]): Pick<HostTool, 'inputSchema'> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  return { inputSchema: { type: 'object', properties, required: [...names] } }
}
