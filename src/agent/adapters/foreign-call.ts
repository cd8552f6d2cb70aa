/**
 * One call of a host's tool for an agent of another maker: the arguments are checked, the gate is passed, and what came of it is
 * put into words for a model. The shapes of those makers are in the files beside this one.
 */

import { describeError, issuesInWords, PilotError } from '../../base/errors.ts'
import type { Host } from '../../host/host.ts'
import type { HostCallOptions } from '../../host/host-options.ts'
import type { HostTool } from '../../host/host-tool.ts'
import { READ_RESOURCE } from '../../host/resource-reading.ts'
import { markForModel } from '../../policy/shown.ts'
import type { CallToolResult } from '../../protocol/types/tools.ts'
import { checkValue } from '../../schema/check.ts'
import type { SchemaDialect } from '../../schema/project/dialect.ts'
import { ToolError } from '../../tools/define.ts'
import type { ArtifactStore } from '../artifacts.ts'
import type { ImagePart } from '../conversation.ts'
import { readsLinks } from '../linked-resources.ts'
import type { ModelTool, ModelTraits } from '../model.ts'
import { ToolOffer } from '../offered-tools.ts'
import { shownResult, type ResultLimits } from '../results.ts'

/** The part of a host that an agent needs. */
export type ToolHost = Pick<Host, 'callTool' | 'tools' | 'turn'> & Partial<Pick<Host, 'readable'>>

export interface AdapterOptions extends Pick<
  HostCallOptions,
  'resetOnProgress' | 'timeoutMs' | 'totalTimeoutMs' | 'turn'
> {
  /** Whose idea of a JSON Schema the model's provider has. Default `plain`: the server's own schema, but for its root. */
  readonly dialect?: SchemaDialect
  /** The model takes images in the results of tools. Default false: it is told that there was one. */
  readonly images?: boolean
  /** How much of a result a model is shown. Default 50 KiB and 2,000 lines. */
  readonly results?: ResultLimits
  /** Keeps what was not shown. Default: nothing keeps it. */
  readonly artifacts?: ArtifactStore
  /** Hears of each tool that the model will not get, and why. Must not throw. */
  readonly onLeftOut?: (alias: string, reason: string) => void
}

/** What came of a call that went well. Plain data, so that it survives being stored as JSON. */
export interface ForeignAnswer {
  /** What the model is told. Never empty. */
  readonly text: string
  /** Empty unless `images` was asked for. */
  readonly images: readonly ImagePart[]
  /** The whole result as the tool gave it, in a peer's words. */
  readonly result: CallToolResult
}

/** The tool itself failed. The message is what a model is told. */
export class FailedToolError extends ToolError {
  /** What the tool gave. */
  readonly result: CallToolResult

  constructor(message: string, result: CallToolResult) {
    super(message)
    this.name = 'FailedToolError'
    this.result = result
  }
}

/** A tool that another agent may call. */
export interface ForeignTool {
  readonly host: HostTool
  /** As the model is to get it. */
  readonly model: ModelTool
  /** What does not fit in arguments, in words for a model; undefined where all fits or nobody can say. */
  problemsOf(args: unknown): Promise<string | undefined>
  /**
   * Calls it. Rejects with the signal's reason when the call was given up, with a `FailedToolError` when the tool failed, with a
   * `ToolError` when the arguments do not fit, and with what the host threw otherwise. Each message may be told to a model.
   */
  call(args: unknown, options: ForeignCallOptions): Promise<ForeignAnswer>
}

export interface ForeignCallOptions {
  readonly signal?: AbortSignal | undefined
  /** The caller's id of the call: it stands in captures and in the audit log. */
  readonly call?: string | undefined
}

/** Takes a turn of the host, and gives the tools that a model may have now. What is held or cannot be told is left out. */
export function foreignTools(host: ToolHost, options: AdapterOptions = {}): readonly ForeignTool[] {
  const { dialect = 'plain', images = false, onLeftOut } = options
  const traits: ModelTraits = { ...UNKNOWN_TRAITS, images, resultImages: images }
  host.turn()
  const offered = new ToolOffer({ dialect, traits }).of(host.tools())
  const reader = offered.byName.get(READ_RESOURCE)?.tool
  for (const { alias, reason } of offered.leftOut) onLeftOut?.(alias, reason)
  return offered.tools.flatMap((model) => {
    const tool = offered.byName.get(model.name)?.tool
    if (tool === undefined) return []
    return [foreignTool({ host, tool, model, traits, reader, options })]
  })
}

/** Nothing is known of the model, so that nothing is cut for its sake. */
const UNKNOWN_TRAITS: ModelTraits = {
  window: undefined,
  maxTools: undefined,
  maxDescription: undefined,
  images: false,
  resultImages: false,
}

interface Parts {
  readonly host: ToolHost
  readonly tool: HostTool
  readonly model: ModelTool
  readonly traits: ModelTraits
  /** The tool for resources, where there is one. */
  readonly reader: HostTool | undefined
  readonly options: AdapterOptions
}

function foreignTool(parts: Parts): ForeignTool {
  const { tool, model } = parts
  const problemsOf = async (args: unknown): Promise<string | undefined> => {
    const verdict = await checkValue(tool.inputSchema, args)
    if (verdict.valid !== false) return undefined
    const issues = markForModel(issuesInWords(verdict.issues))
    return `${tool.alias} was not called: its arguments do not fit its schema. ${issues}`
  }
  return {
    host: tool,
    model,
    problemsOf,
    async call(args, options) {
      const problems = await problemsOf(args)
      if (problems !== undefined) throw new ToolError(problems)
      return answered(parts, args, options)
    },
  }
}

async function answered(
  parts: Parts,
  args: unknown,
  { signal, call }: ForeignCallOptions,
): Promise<ForeignAnswer> {
  signal?.throwIfAborted()
  const result = await resultOf(parts, args, { signal, call })
  const { host, tool, traits, reader, options } = parts
  const { alias, server } = tool
  const shown = await shownResult(result, {
    alias,
    server,
    traits,
    readsLinks: readsLinks(reader, tool, host),
    ...(options.results !== undefined && { limits: options.results }),
    ...(options.artifacts !== undefined && { artifacts: options.artifacts }),
  })
  if (result.isError === true) throw new FailedToolError(shown.text, result)
  return { text: shown.text, images: traits.resultImages ? shown.images : [], result }
}

async function resultOf(
  { host, tool, options }: Parts,
  args: unknown,
  { signal, call }: ForeignCallOptions,
): Promise<CallToolResult> {
  const { timeoutMs, totalTimeoutMs, resetOnProgress, turn } = options
  try {
    return await host.callTool({ server: tool.server, name: tool.name }, args, {
      ...(signal !== undefined && { signal }),
      ...(call !== undefined && { call: call.slice(0, MAX_CALL_ID) }),
      ...(turn !== undefined && { turn }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(totalTimeoutMs !== undefined && { totalTimeoutMs }),
      ...(resetOnProgress !== undefined && { resetOnProgress }),
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw tellable(error)
  }
}

/** Ids come from a model: of a longer one so much is written down. */
const MAX_CALL_ID = 128
/** A peer's error may hold any text; a model is told so much of it. */
const MAX_TOLD = 2000

/** The error itself where its message may be told to a model as it is, else one that may, with the first as its cause. */
function tellable(error: unknown): Error {
  const message = describeError(error)
  const told = markForModel(message.slice(0, MAX_TOLD))
  if (error instanceof PilotError && told === message) return error
  return new ToolError(told, { cause: error })
}
