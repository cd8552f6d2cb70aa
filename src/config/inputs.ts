/**
 * Inputs of a file: values that it does not hold and that a person is asked for, as passwords. Asked for once each, only
 * when a server that may be started uses them, and never echoed by us.
 */

import type { ConfigNode } from './document.ts'
import type { Place } from './entry.ts'

/** What a person is asked for. */
export interface InputRequest {
  readonly id: string
  /** Of the file, hence of a stranger. */
  readonly description: string
  /** Whether it must not be seen while it is typed. Default true. */
  readonly secret: boolean
  readonly suggestion?: string
  /** When there, one of these. */
  readonly choices?: readonly string[]
  readonly place: Place
}

/** Asks a person; nothing when nobody answers. */
export type AskInput = (request: InputRequest) => Promise<string | undefined>

/** What `inputs` describes, by ID. Descriptions that cannot be read are left out. */
export function describedInputs(node: ConfigNode | undefined): ReadonlyMap<string, InputRequest> {
  const described = new Map<string, InputRequest>()
  for (const { members, place } of node?.items ?? []) {
    const id = members.get('id')
    if (id?.kind !== 'string' || id.text === '') continue
    const type = members.get('type')?.text
    const choices = members.get('options')?.items.map(({ text }) => text)
    const suggestion = members.get('default')
    described.set(id.text, {
      id: id.text,
      description: members.get('description')?.text ?? id.text,
      secret: type !== 'pickString' && members.get('password')?.text !== 'false',
      ...(suggestion !== undefined && { suggestion: suggestion.text }),
      ...(type === 'pickString' && choices !== undefined && { choices }),
      place,
    })
  }
  return described
}

/** IDs that the texts of an entry use. */
export function usedInputs(node: ConfigNode): ReadonlySet<string> {
  const used = new Set<string>()
  const visit = ({ text, members, items }: ConfigNode): void => {
    if (text.includes('${input:'))
      for (const [, id] of text.matchAll(/\$\{input:([^}]*)\}/g)) used.add(id ?? '')
    for (const inner of [...members.values(), ...items]) visit(inner)
  }
  visit(node)
  return used
}
