/**
 * What a host shows of a tool and reads from its hints: defaults in place, odd values taken for absent.
 *
 * Hints are a server's own words about its tool. They help a person decide; nothing may be allowed because of them.
 */

import type { Tool } from '../protocol/types/tools.ts'

/** The hints of a tool with every default in place. Untrusted unless the server is. // TOOL-18 */
export interface ToolHints {
  /** It changes nothing. Default false. */
  readonly readOnly: boolean
  /** It may destroy or overwrite what is there. Default true; false for a read-only tool, whatever it says. */
  readonly destructive: boolean
  /** Calling it again with the same arguments changes nothing more. Default false; true for a read-only tool. */
  readonly idempotent: boolean
  /** It deals with a world outside of the server: the web, mail, other people. Default true. */
  readonly openWorld: boolean
}

/** What the annotations of a tool come to. The worse is assumed where nothing is said. // TOOL-19 */
export function hintsOf({ annotations }: Pick<Tool, 'annotations'>): ToolHints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {}
  const readOnly = readOnlyHint === true
  return {
    readOnly,
    destructive: !readOnly && destructiveHint !== false,
    idempotent: readOnly || idempotentHint === true,
    openWorld: openWorldHint !== false,
  }
}

/** The name to show to people; calls go by `tool.name`. A title that is blank counts as none. // TOOL-20 */
export function displayName({ name, title, annotations }: Tool): string {
  return [title, annotations?.title].find(isTitle) ?? name
}

/** What a peer sent as a title need not be a string. */
function isTitle(title: unknown): title is string {
  return typeof title === 'string' && title.trim() !== ''
}
