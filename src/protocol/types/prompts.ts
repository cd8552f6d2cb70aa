/** Prompts: templates of messages that a person chooses. */

import type { JsonObject } from '../../base/json.ts'
import type { Icon, Open, PageResult, Role } from './common.ts'
import type { ContentBlock } from './tools.ts'

export interface Prompt extends Open {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

export interface PromptArgument extends Open {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
}

export interface ListPromptsResult extends PageResult {
  readonly prompts: readonly Prompt[]
}

export interface GetPromptParams extends Open {
  readonly name: string
  /** Strings only. // PRMT-04 */
  readonly arguments?: { readonly [name: string]: string }
}

export interface PromptMessage extends Open {
  readonly role: Role
  /** One block, never an array. // PRMT-05 */
  readonly content: ContentBlock
}

export interface GetPromptResult extends Open {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: JsonObject
}
