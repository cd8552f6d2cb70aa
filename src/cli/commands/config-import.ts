/**
 * `deep-pilot config import`: servers of another host's file, written into ours with variables unexpanded. What lets calls
 * pass unasked there is not taken over.
 */

import { resolve } from 'node:path'
import { PolicyError, UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { addServer } from '../../config/edit.ts'
import type { ServerEntry } from '../../config/entry.ts'
import { serverToWrite } from '../../config/import-entry.ts'
import { findGroups, SHAPES } from '../../config/imports/find-groups.ts'
import { spelledFor } from '../../config/new-server.ts'
import { findKnownFiles, type FoundFile } from '../../config/node/known-files.ts'
import { loadFile } from '../../config/node/load.ts'
import { readTextIfThere } from '../../config/node/read-text.ts'
import { writeFileWhole } from '../../config/node/write-private.ts'
import { readDocument, formatOf } from '../../config/parse.ts'
import { askYesNo, canAsk } from '../ask-person.ts'
import { changeFile, targetFile } from './config-edit.ts'
import { brokenExact, exactLines } from './config-approve.ts'
import {
  hideSecrets,
  loadOptions,
  tellProblems,
  tellResult,
  type ConfigRun,
} from './config-files.ts'

export interface ImportOptions {
  readonly config?: string
  readonly write?: boolean
  readonly replace?: boolean
  readonly yes?: boolean
}

export async function importServers(
  run: ConfigRun,
  source: string | undefined,
  options: ImportOptions,
): Promise<void> {
  const { invocation, words } = run
  const entries: ServerEntry[] = []
  const files = await sourceFiles(run, source)
  for (const { path, title } of files) {
    const loaded = await loadFile(path, 'given', loadOptions(invocation))
    entries.push(...loaded.entries)
    if (source === undefined && !invocation.json)
      tellResult(invocation, words.notes.found(title, terminalText(path), loaded.declared.length))
    else tellProblems(run, loaded.problems)
  }
  hideSecrets(invocation, entries)
  if (source === undefined) return tellFound(run, files)
  await writeServers(run, entries, options)
}

/** The files of a host, the file that was named, or every file that is there. */
async function sourceFiles(
  { invocation, words }: ConfigRun,
  source: string | undefined,
): Promise<readonly FoundFile[]> {
  const where = { cwd: process.cwd(), env: invocation.env }
  if (source === undefined) return findKnownFiles(where)
  const shape = SHAPES.find(({ name }) => name === source)
  if (shape !== undefined) {
    const found = await findKnownFiles({ ...where, host: shape.name })
    if (found.length === 0) throw new UsageError(words.notes.noFiles)
    return found
  }
  const path = resolve(source)
  if ((await readTextIfThere(path)) === undefined) {
    const hosts = SHAPES.map(({ name }) => name)
    throw new UsageError(words.faults.unknownHost(terminalText(source), hosts))
  }
  return [{ host: 'mcp-json', title: source, path }]
}

function tellFound({ invocation, words }: ConfigRun, files: readonly FoundFile[]): void {
  if (invocation.json) invocation.output.json({ files })
  else invocation.output.note(files.length === 0 ? words.notes.noFiles : words.notes.importHint)
}

async function writeServers(
  run: ConfigRun,
  entries: readonly ServerEntry[],
  { config, write = false, replace = false, yes = false }: ImportOptions,
): Promise<void> {
  const { invocation, words } = run
  const { output, json, signal } = invocation
  const path = await targetFile(invocation, config)
  const shownPath = terminalText(path)
  const there = await namesIn(path)
  // Of two servers with the same name the last one counts.
  const latest = [...new Map(entries.map((entry) => [entry.key, entry])).values()]
  const chosen = latest.filter(({ key }) => replace || !there.has(key))
  for (const { key } of latest.filter((entry) => !chosen.includes(entry)))
    output.note(words.notes.skipped(terminalText(key), shownPath))
  const servers = chosen.map((entry) => ({
    name: entry.key,
    written: spelledFor('mcp-json', serverToWrite(entry)),
  }))
  for (const { name, written } of json ? [] : servers) {
    tellResult(invocation, words.approve.server(terminalText(name)))
    for (const line of exactLines(written))
      for (const part of brokenExact(invocation.mask.text(line), output.columns)) output.line(part)
  }
  const result = { file: path, written: write && chosen.length > 0, servers }
  if (!write || chosen.length === 0) {
    if (json) output.json(invocation.mask.json(result))
    else output.note(words.notes.wouldImport(chosen.length, shownPath))
    return
  }
  if (!yes && !canAsk())
    throw new PolicyError('DP_POLICY_UNAPPROVED', words.faults.needsYes(shownPath), {
      detail: { kind: 'told' },
    })
  const message = words.notes.askImport(chosen.length, shownPath)
  const { yes: agree, no } = words.approve
  if (
    !yes &&
    !(await askYesNo({ message, yes: agree, no, signal, interrupt: invocation.interrupt }))
  )
    throw new PolicyError('DP_POLICY_UNAPPROVED', words.approve.refused(shownPath), {
      detail: { kind: 'told' },
    })
  const before = await readTextIfThere(path)
  if (before !== undefined) {
    await writeFileWhole(`${path}.bak`, before.text, { mode: 0o600 })
    if (!json) output.note(words.notes.backup(`${shownPath}.bak`))
  }
  await changeFile(invocation, path, async (text) => {
    let changed = text
    for (const entry of chosen)
      changed = await addServer(changed, serverToWrite(entry), {
        file: path,
        key: entry.key,
        replace,
      })
    return changed
  })
  if (json) output.json(invocation.mask.json(result))
  else tellResult(invocation, words.notes.imported(chosen.length, shownPath))
}

/** Names that a file has already, whether they can be understood or not. */
async function namesIn(path: string): Promise<ReadonlySet<string>> {
  const found = await readTextIfThere(path)
  if (found === undefined) return new Set()
  const format = formatOf(path)
  const root = await readDocument(found.text, path, format)
  const groups = root === undefined ? [] : findGroups(root, { path, format, folder: undefined })
  return new Set(groups.flatMap(({ node }) => [...node.members.keys()]))
}
