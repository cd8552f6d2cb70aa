/** What a server can be told when it is made, with its defaults, and what it says of itself. */

import { systemClock, systemRandom, type Clock, type Random } from '../base/clock.ts'
import { UsageError } from '../base/errors.ts'
import { silentLogger, type Logger } from '../base/log.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import type { ServerIdentity } from '../protocol/dialect.ts'
import { REVISIONS, type Revision } from '../protocol/revision.ts'
import type { Icon, Implementation, ServerCapabilities } from '../protocol/types/common.ts'
import type { CacheHint } from '../tools/context.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { cacheOf, checkIcons } from '../tools/feature.ts'
import type { PromptDefinition } from '../tools/prompt.ts'
import type { ResourceDefinition } from '../tools/resource.ts'
import type { TemplateDefinition } from '../tools/template.ts'
import { withExtensions, type ServerExtension } from './extension.ts'
import { withTasks, type TaskOptions } from './task-options.ts'
import type { UsedStates } from './used-states.ts'

export interface ServerOptions {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
  /** For the model that uses the server. // LIFE-17 */
  readonly instructions?: string
  /** Tools to begin with. Even an empty list declares that there may be some. // TOOL-02 */
  readonly tools?: readonly ToolDefinition[]
  /** Resources to begin with. Even an empty list declares that there may be some. */
  readonly resources?: readonly ResourceDefinition[]
  /** Templates to begin with, asked in this order for a URI that is no resource's. Declares resources. */
  readonly templates?: readonly TemplateDefinition[]
  /** Prompts to begin with. Even an empty list declares that there may be some. */
  readonly prompts?: readonly PromptDefinition[]
  /** What is offered beyond the protocol; an extension that is not given here is off. // EXT-01, EXT-03 */
  readonly extensions?: readonly ServerExtension[]
  /** Revisions to serve. Default: all five. */
  readonly revisions?: readonly Revision[]
  /** Whether `ctx.log` reaches clients. Deprecated in the newest revision, therefore off by default. // LOG-01, LOG-09 */
  readonly logging?: boolean
  /**
   * Lets calls of tools that have a `task` go on as tasks, where the client can follow one: by the extension, or as
   * 2025-11-25 has it. Default false: such tools are answered when they are done. // TASK-01, TASKX-01
   */
  readonly tasks?: boolean | TaskOptions
  /** Further capabilities, for what `handle` adds. */
  readonly capabilities?: ServerCapabilities
  /** Items on a page of a list. Default: all on one page, which every client can read. */
  readonly pageSize?: number
  /** How long clients may keep a list or what they read, in ms. Default 0: they ask again. // CACHE-01 */
  readonly ttlMs?: number
  /** Who may share what is kept. Default `private`; `public` is for what is the same for everyone. // CACHE-04, CACHE-05 */
  readonly cacheScope?: 'public' | 'private'
  /** Other hints for single lists. Of what is read, the resource says it. */
  readonly cache?: {
    readonly tools?: CacheHint
    readonly resources?: CacheHint
    readonly templates?: CacheHint
    readonly prompts?: CacheHint
  }
  /** Keys for `requestState`, 32 bytes each, when several replicas must read each other's. Default: a random one. */
  readonly stateKeys?: readonly Uint8Array[]
  /**
   * Whether the state of a tool call that waits for answers may be redeemed only once, so that a call repeated word for word
   * has no second effect; whoever lost the answer calls anew and is asked anew. Not enforced for tools that say to be
   * read-only or idempotent. Default true, with a memory of this process; replicas that share `stateKeys` give a memory
   * that they share. // MRTR-11
   */
  readonly singleUse?: boolean | UsedStates
  /** Requests of one client that may run at once. Default 1,024. */
  readonly maxActive?: number
  /** Listen streams of one client. Default 64. */
  readonly maxSubscriptions?: number
  /** Single resources that one client may watch at once. Default 1,024. */
  readonly maxWatched?: number
  /** Completions that one client may ask for in a second, for long; a few more at once. Default 50. // COMP-05 */
  readonly completionsPerSecond?: number
  /** Longest message accepted, in bytes. Default 32 MiB. */
  readonly maxMessageBytes?: number
  /** Hears every message of every link, exactly as it crosses. */
  readonly wire?: WireSink
  readonly logger?: Logger
  readonly clock?: Clock
  /** Bytes that nobody can guess, for keys and ids. Default: the platform's. */
  readonly random?: Random
}

/** Options with every default in place. */
export interface ServerSettings {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly revisions: readonly Revision[]
  readonly logging: boolean
  readonly keepsTasks: boolean
  readonly capabilities: ServerCapabilities
  readonly pageSize: number
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
  readonly cache: {
    readonly tools: CacheHint
    readonly resources: CacheHint
    readonly templates: CacheHint
    readonly prompts: CacheHint
  }
  readonly maxActive: number
  readonly maxSubscriptions: number
  readonly maxWatched: number
  readonly completionsPerSecond: number
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export function serverSettingsOf(options: ServerOptions): ServerSettings {
  const { name, version, title, description, websiteUrl, icons } = options
  const revisions = REVISIONS.filter((revision) => options.revisions?.includes(revision) ?? true)
  if (revisions.length === 0) throw new UsageError('A server must serve at least one revision.')
  const pageSize = options.pageSize ?? Number.POSITIVE_INFINITY
  if (!(pageSize >= 1))
    throw new UsageError(`A page holds at least one item; pageSize is ${pageSize}.`)
  checkIcons(icons, 'server')
  const { ttlMs = 0, cacheScope = 'private' } = cacheOf(options, 'server')
  const { cache = {} } = options
  return {
    info: {
      name,
      version,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(websiteUrl === undefined ? {} : { websiteUrl }),
      ...(icons === undefined ? {} : { icons }),
    },
    instructions: options.instructions,
    revisions,
    logging: options.logging === true,
    keepsTasks: options.tasks !== undefined && options.tasks !== false,
    capabilities: withTasks(
      withExtensions(options.capabilities ?? {}, options.extensions ?? []),
      options.tasks,
    ),
    pageSize,
    ttlMs,
    cacheScope,
    cache: {
      tools: cacheOf(cache.tools ?? {}, 'list of tools'),
      resources: cacheOf(cache.resources ?? {}, 'list of resources'),
      templates: cacheOf(cache.templates ?? {}, 'list of templates'),
      prompts: cacheOf(cache.prompts ?? {}, 'list of prompts'),
    },
    maxActive: options.maxActive ?? 1024,
    maxSubscriptions: options.maxSubscriptions ?? 64,
    maxWatched: options.maxWatched ?? 1024,
    completionsPerSecond: options.completionsPerSecond ?? 50,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    logger: (options.logger ?? silentLogger).module('server'),
  }
}

/** What a server says of itself to every client; `offered` is what its features make it declare. */
export function identityOf(settings: ServerSettings, offered: ServerCapabilities): ServerIdentity {
  const { info, instructions, revisions, logging, ttlMs, cacheScope } = settings
  const capabilities: ServerCapabilities = {
    ...settings.capabilities,
    ...offered,
    ...(logging ? { logging: {} } : {}), // LOG-01
  }
  return {
    info,
    capabilities,
    revisions,
    ttlMs,
    cacheScope,
    ...(instructions === undefined ? {} : { instructions }),
  }
}
