/**
 * Which tools a rule speaks of. A name is compared with what a tool is called, never taken apart: a rule that forbids takes
 * every reading of its pattern, a rule that allows only the one that cannot be another tool's.
 */

import { isGlob, matchesGlob } from './glob.ts'
import { MAX_PATTERN, type Rule } from './policy.ts'

/** A tool as rules see it. */
export interface NamedTool {
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  readonly tool: string
  readonly alias: string
}

const SEPARATOR = '__'
const PREFIX = 'mcp__'
/** Longest name of a tool that is compared with a glob, in UTF-16 units; longer ones are forbidden by every rule that forbids. */
export const MAX_NAME = 4_096

/** Whether the rule is about this tool, whatever the arguments. */
export function isAbout(rule: Pick<Rule, 'effect' | 'tools' | 'server'>, tool: NamedTool): boolean {
  const forbids = rule.effect !== 'allow'
  if (rule.tools.length > MAX_PATTERN) return forbids
  if (tool.tool.length > MAX_NAME || (tool.server?.length ?? 0) > MAX_NAME) return forbids
  if (rule.server !== undefined) {
    if (rule.server !== tool.server) return false
    const names = forbids ? [tool.tool, ...sharedNames(tool)] : [tool.tool]
    return names.some((name) => matchesGlob(rule.tools, name))
  }
  return forbids ? couldMean(rule.tools, tool) : surelyMeans(rule.tools, tool)
}

/** Why an `allow` with this pattern allows nothing; undefined when it can. */
export function allowFault(pattern: string): 'needs-server' | 'ambiguous' | undefined {
  const reading = readAllow(pattern)
  return typeof reading === 'string' ? reading : undefined
}

function couldMean(pattern: string, { server, tool, alias }: NamedTool): boolean {
  if (server === undefined) return matchesGlob(pattern, tool)
  const names = [
    server,
    `${server}${SEPARATOR}${tool}`,
    alias,
    ...sharedNames({ alias }).map((name) => server + SEPARATOR + name),
  ]
  const readings = pattern.startsWith(PREFIX) ? [pattern, pattern.slice(PREFIX.length)] : [pattern]
  return readings.some((reading) => names.some((name) => matchesGlob(reading, name)))
}

/**
 * The name of a tool that models have for many servers at once, as `read_resource`: who forbids that of one server means the act that
 * it stands for there. Aliases of tools of servers have two `_` in them.
 */
function sharedNames({ alias }: Pick<NamedTool, 'alias'>): readonly string[] {
  return alias.includes(SEPARATOR) ? [] : [alias]
}

function surelyMeans(pattern: string, { server, tool, alias }: NamedTool): boolean {
  if (server === undefined) return pattern === tool
  const reading = readAllow(pattern)
  if (typeof reading === 'string') return false
  if (reading.alias === alias) return true
  if (reading.server !== server) return false
  return reading.tools === undefined || matchesGlob(reading.tools, tool)
}

interface AllowReading {
  /** There when the pattern may be a whole alias. */
  readonly alias?: string
  readonly server?: string
  /** A glob over the tools of the server. Default: all of them. */
  readonly tools?: string
}

function readAllow(pattern: string): AllowReading | 'needs-server' | 'ambiguous' {
  const name = pattern.startsWith(PREFIX) ? pattern.slice(PREFIX.length) : pattern
  const cut = name.indexOf(SEPARATOR)
  const server = cut < 0 ? name : name.slice(0, cut)
  if (server === '' || isGlob(server)) return 'needs-server'
  if (cut < 0) return { server }
  // Of three `_` in a row the first and the last place differ.
  if (name.lastIndexOf(SEPARATOR) !== cut) {
    return HASHED.test(name) && !isGlob(name) ? { alias: name } : 'ambiguous'
  }
  const tools = name.slice(cut + SEPARATOR.length)
  return tools === '' ? 'ambiguous' : { alias: name, server, tools }
}

/** How an alias ends whose plain form would have been ambiguous. */
const HASHED = /_[0-9a-f]{12}$/
