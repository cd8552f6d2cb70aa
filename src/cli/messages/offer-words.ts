/** What `tools --for` and `types` say, as one type that each language fills in. */

import type { HeldTool } from '../../host/host-tool.ts'
import type { DeclarationRemark } from '../../tools/declarations.ts'

export interface OfferWords {
  readonly optionFor: string
  readonly optionContext: string
  readonly optionStrict: string
  /** Follows on what the help of `tools` says. */
  readonly moreFor: string
  readonly onlyWithFor: (option: string) => string
  readonly notWithFor: (option: string) => string
  readonly offered: (tools: number, form: string, tokens: number) => string
  readonly isStrict: string
  readonly leftOut: (alias: string, reason: string) => string
  /** `kind` is what became of `keyword`; `message` says it in English. */
  readonly lost: (alias: string, loss: LostWords) => string
  readonly moreLost: (alias: string, count: number) => string
  readonly moreTools: (count: number) => string
  readonly notStrict: (alias: string, reason: string) => string
  readonly deferred: string
  readonly ownNames: string
  readonly types: string
  readonly typesMore: string
  readonly argumentServer: string
  readonly noServer: string
  readonly held: (tool: string, held: Omit<HeldTool, 'diff'>) => string
  readonly remark: Readonly<Record<DeclarationRemark['kind'], (tool: string) => string>>
}

export interface LostWords {
  readonly pointer: string
  readonly keyword: string
  readonly kind: 'dropped' | 'changed' | 'widened' | 'cut'
  readonly message: string
}
