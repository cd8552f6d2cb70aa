/** Resources, templates of resources, and what reading one gives. */

import type { JsonObject } from '../../base/json.ts'
import type { Annotations, CacheScope, Icon, Open, PageResult } from './common.ts'

export interface Resource extends Open {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  /** Bytes of the raw content, before base64. */
  readonly size?: number
  readonly _meta?: JsonObject
}

export interface ResourceTemplate extends Open {
  /** RFC 6570. // RES-04 */
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Only when every resource that matches has this type. */
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

export interface TextResourceContents extends Open {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
  readonly _meta?: JsonObject
}

export interface BlobResourceContents extends Open {
  readonly uri: string
  readonly mimeType?: string
  /** Base64. */
  readonly blob: string
  readonly _meta?: JsonObject
}

export interface ListResourcesResult extends PageResult {
  readonly resources: readonly Resource[]
}

export interface ListResourceTemplatesResult extends PageResult {
  readonly resourceTemplates: readonly ResourceTemplate[]
}

export interface ReadResourceResult extends Open {
  /** Several items are allowed. Never empty for a resource that is missing: that is an error. // RES-03, ERR-03 */
  readonly contents: readonly (TextResourceContents | BlobResourceContents)[]
  readonly ttlMs?: number
  readonly cacheScope?: CacheScope
  readonly _meta?: JsonObject
}
