/**
 * `deep-pilot config approve`: shows all that a project file would start or reach, every character of it but those of secrets,
 * and asks. The default is no; what is approved are the bytes that were shown.
 */

import { PolicyError, UsageError } from '../../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import { displayWidth, terminalText } from '../../base/terminal-text.ts'
import { plainValue } from '../../config/document.ts'
import type { ServerEntry } from '../../config/entry.ts'
import { launchHash, openApprovals, type ApprovalStore } from '../../config/node/approvals.ts'
import { stateFolder } from '../../config/node/home.ts'
import { loadFile, projectFiles, type LoadedFile } from '../../config/node/load.ts'
import { resolve } from 'node:path'
import { askYesNo, canAsk } from '../ask-person.ts'
import { breakText } from '../break-text.ts'
import { hangingLines } from '../hanging-lines.ts'
import { visibleJson } from '../output.ts'
import {
  hideSecrets,
  loadOptions,
  tellProblems,
  tellResult,
  type ConfigRun,
} from './config-files.ts'
import { withoutSecrets } from './written-secrets.ts'

export interface ApproveOptions {
  readonly yes?: boolean
  readonly revoke?: boolean
}

export async function approveFiles(
  run: ConfigRun,
  names: readonly string[],
  { yes = false, revoke = false }: ApproveOptions,
): Promise<void> {
  const { invocation, words } = run
  const files = names.length > 0 ? names : await projectFiles(process.cwd())
  if (files.length === 0) throw new UsageError(words.faults.nothingHere)
  const store = openApprovals(stateFolder(invocation.env))
  for (const name of files) {
    if (revoke) await revokeFile(run, name, store)
    else await approveFile(run, name, { store, yes })
  }
}

async function revokeFile(run: ConfigRun, name: string, store: ApprovalStore): Promise<void> {
  const { invocation, words } = run
  const path = resolve(name)
  const count = await store.revoke(path)
  if (invocation.json) invocation.output.jsonLine({ file: path, revoked: count })
  else tellResult(invocation, words.approve.revoked(terminalText(path), count))
}

async function approveFile(
  run: ConfigRun,
  name: string,
  { store, yes }: { readonly store: ApprovalStore; readonly yes: boolean },
): Promise<void> {
  const { invocation, words } = run
  const { output, json, signal, interrupt } = invocation
  const loaded = await loadFile(name, 'project', { ...loadOptions(invocation), approvals: store })
  const { file, entries, declared } = loaded
  const path = terminalText(file.path)
  hideSecrets(invocation, entries)
  if (file.approved || declared.length === 0) {
    if (json) output.jsonLine({ file: file.path, sha256: file.sha256, approved: file.approved })
    else tellResult(invocation, file.approved ? words.approve.already(path) : words.approve.nothing)
    return
  }
  const shown = await shownFile(run, loaded, store)
  if (json) output.noteJson({ file: file.path, sha256: file.sha256, servers: shown.servers })
  // As the result: remarks are broken between words, which would lose blanks.
  else
    for (const line of shown.lines)
      for (const part of brokenExact(line, output.columns)) output.line(part)
  tellProblems(run, loaded.problems)
  if (!yes && !canAsk())
    throw new PolicyError('DP_POLICY_UNAPPROVED', words.faults.needsYes(path), {
      detail: { kind: 'told' },
    })
  const { question, yes: agree, no } = words.approve
  const answer =
    yes || (await askYesNo({ message: question(path), yes: agree, no, signal, interrupt }))
  if (!answer)
    throw new PolicyError('DP_POLICY_UNAPPROVED', words.approve.refused(path), {
      detail: { kind: 'told' },
    })
  await store.approve({ path: file.path, sha256: file.sha256, entries })
  if (json) output.jsonLine({ file: file.path, sha256: file.sha256, approved: true })
  else tellResult(invocation, words.approve.approved(path))
}

interface ShownFile {
  readonly lines: readonly string[]
  readonly servers: readonly object[]
}

/** Everything of the file that starts or reaches a server. Nothing is cut, whatever the width of the terminal. */
async function shownFile(
  { words, invocation }: ConfigRun,
  { file, entries, declared }: LoadedFile,
  store: ApprovalStore,
): Promise<ShownFile> {
  const { approve } = words
  const before = (await store.latest(file.path))?.launches
  const { columns } = invocation.output
  const lines = [
    ...approve.file(terminalText(file.path), file.sha256).split('\n'),
    '',
    ...hangingLines('', approve.warning, columns),
  ]
  const servers: object[] = []
  for (const { key, node } of declared) {
    const entry = entries.find((one) => one.key === key)
    const written = plainValue(node)
    const expanded = entry === undefined ? undefined : expandedLaunch(entry)
    const safe = withoutSecrets(written)
    const filled = expanded === undefined ? undefined : withoutSecrets(expanded)
    servers.push({ name: key, written: safe, expanded: invocation.mask.json(filled) })
    const change =
      before === undefined || entry === undefined
        ? ''
        : before[key] === undefined
          ? ` (${approve.fresh})`
          : ` (${before[key] === launchHash(entry) ? approve.unchanged : approve.changed})`
    lines.push('', `${approve.server(terminalText(key))}${change}`)
    if (expanded === undefined) lines.push(`  ${approve.unreadable}:`)
    lines.push(...exactLines(safe))
    // Variables may make another command of it.
    if (expanded !== undefined && filled !== undefined && !isSame(written, expanded)) {
      lines.push(`  ${approve.expanded}:`)
      lines.push(...exactLines(filled).map((line) => invocation.mask.text(line)))
    }
  }
  return { lines, servers }
}

function expandedLaunch(entry: ServerEntry): JsonObject {
  return entry.transport === 'stdio'
    ? {
        command: entry.command,
        args: [...entry.args],
        ...(entry.cwd !== undefined && { cwd: entry.cwd }),
      }
    : { url: entry.url }
}

/** Whether the parts that are filled in are written just so. */
function isSame(written: JsonValue, expanded: JsonObject): boolean {
  return (
    isJsonObject(written) &&
    Object.entries(expanded).every(
      ([name, value]) => JSON.stringify(written[name] ?? []) === JSON.stringify(value),
    )
  )
}

/** One of them for a terminal: what goes on in the next line says so, and no text of a stranger begins one. */
export function brokenExact(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || displayWidth(line) <= columns) return [line]
  const [first = '', ...rest] = breakText(line, columns - GOES_ON.length)
  return [first, ...rest.map((part) => GOES_ON + part)]
}

const GOES_ON = '  ↪ '

/** A value of a stranger as lines that show every character of it: what is not plainly seen is escaped, and so are long runs of blanks. */
export function exactLines(value: JsonValue): readonly string[] {
  return visibleJson(value, 2)
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)?.[0] ?? ''
      const text = terminalText(line.slice(indent.length))
      return `    ${indent}${text.replace(/ {4,}/g, (run) => '\\u0020'.repeat(run.length))}`
    })
}
