/**
 * Extensions: methods and kinds of result that both sides agreed to have on top of a revision. // EXT-01, RPC-21
 *
 * An extension is data and pure functions, as a dialect is; what it does lives in the client and the server. It is off
 * until its owner asks for it (EXT-03), and its methods need that whoever has to declare it did.
 */

import type { JsonObject } from '../base/json.ts'
import type { Dialect, MethodRule, MethodTable, Outcome } from './dialect.ts'
import type { Era } from './revision.ts'
import type { ClientCapabilities, ServerCapabilities } from './types/common.ts'

export interface Extension {
  /** Identifier with its prefix, e.g. `io.modelcontextprotocol/tasks`. // EXT-01 */
  readonly id: string
  /** Eras in which it exists. */
  readonly eras: readonly Era[]
  /** Who has to declare it: each side for itself, or the server alone. Default `both`. // EXT-02, SKILL-04 */
  readonly declaredBy?: 'both' | 'server'
  /** Its methods; each gets `extension` set to the identifier. */
  readonly methods: MethodTable
  /** Values of `resultType` that belong to it, and what results with them say. Throw `ProtocolError` for a bad one. // RPC-21 */
  readonly resultTypes?: ReadonlyMap<string, (method: string, raw: JsonObject) => Outcome>
}

/** The dialect with what the extensions of its era add; itself when there are none. */
export function extend(dialect: Dialect, extensions: readonly Extension[]): Dialect {
  const present = extensions.filter(({ eras }) => eras.includes(dialect.era))
  if (present.length === 0) return dialect
  const methods = new Map(dialect.methods)
  const readers = new Map<string, (method: string, raw: JsonObject) => Outcome>()
  for (const { id, declaredBy = 'both', methods: own, resultTypes } of present) {
    for (const [name, rule] of own) methods.set(name, { ...rule, extension: id, declaredBy })
    for (const [type, read] of resultTypes ?? []) readers.set(type, read)
  }
  return {
    ...dialect,
    methods,
    decodeResult(method, raw) {
      const type = raw['resultType']
      const read = typeof type === 'string' ? readers.get(type) : undefined
      return read === undefined ? dialect.decodeResult(method, raw) : read(method, raw)
    },
  }
}

/** Whether a side declared an extension. Settings may be any object; `{}` has none. */
export function declaresExtension(
  capabilities: ClientCapabilities | ServerCapabilities,
  id: string,
): boolean {
  const { extensions } = capabilities
  if (typeof extensions !== 'object' || extensions === null || !Object.hasOwn(extensions, id))
    return false
  const settings: unknown = Reflect.get(extensions, id)
  return typeof settings === 'object' && settings !== null
}

/** What the sender of a request must declare to have an extension. // TASKX-02 */
export function extensionCapability(id: string): ClientCapabilities {
  return { extensions: { [id]: {} } }
}

/** Who lacks the extension that a method belongs to, if somebody does. // EXT-02 */
export function missingExtension(
  rule: MethodRule,
  declared: { readonly client: ClientCapabilities; readonly server: ServerCapabilities },
): 'client' | 'server' | undefined {
  if (rule.extension === undefined) return undefined
  if (!declaresExtension(declared.server, rule.extension)) return 'server'
  if (rule.declaredBy === 'server') return undefined
  return declaresExtension(declared.client, rule.extension) ? undefined : 'client'
}
