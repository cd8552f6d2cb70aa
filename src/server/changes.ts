/** What changes at a server, as its links tell it. Who wants to hear of it is known in `subscriptions.ts`. */

import type { RequestFacts } from '../tools/context.ts'
import type { ListKind } from './offers.ts'

/** A change as both eras name it. */
export type ChangeNotice = ListChange | ResourceChange

export interface ListChange {
  readonly method: string
  /** The member of the filter that asks for it. */
  readonly wanted: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged'
}

export interface ResourceChange {
  readonly method: 'notifications/resources/updated'
  readonly uri: string
  /** Whether somebody may know of it. */
  readonly mayHear: (facts: RequestFacts) => boolean
}

export const LIST_CHANGES: { readonly [kind in ListKind]: ListChange } = {
  tools: { method: 'notifications/tools/list_changed', wanted: 'toolsListChanged' },
  prompts: { method: 'notifications/prompts/list_changed', wanted: 'promptsListChanged' },
  resources: { method: 'notifications/resources/list_changed', wanted: 'resourcesListChanged' },
}
