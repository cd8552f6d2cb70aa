/**
 * The published conformance suite in the versions that judge this project: installs each in a folder of its own, with the
 * newer Node that it needs, outside of the project's dependencies, and asks it what scenarios it has.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { install, installPackages, nodeFrom } from '../../bench/peers/install.mjs'
import { readList, type Listed, type Side, type SuiteVersion } from './plan.ts'

export const SUITES: readonly SuiteVersion[] = [
  { version: '0.1.16', speaksRevisions: false },
  { version: '0.2.0-alpha.12', speaksRevisions: true },
]

/** A program and its first words: a Node that is new enough, and the suite's file. */
export type SuiteCommand = readonly [string, string]

const PACKAGE = '@modelcontextprotocol/conformance'
/** Both versions of the suite need this Node or a newer one, whatever runs the subjects. */
const NODE = 22
const LIST_DEADLINE_MS = 60_000

/** Installs what is missing; throws with the reason where that fails. Nothing is fetched when all is there. */
export function installSuite({ version }: SuiteVersion): SuiteCommand {
  const folder = join(process.cwd(), 'node_modules', '.cache', 'conformance', version)
  const node = nodeFrom(NODE)
  const reason =
    (node === process.execPath ? undefined : install(`node-${NODE}`)) ??
    installPackages(folder, [`${PACKAGE}@${version}`])
  if (reason !== undefined) throw new Error(reason)
  return [node, join(folder, 'node_modules', ...PACKAGE.split('/'), 'dist', 'index.js')]
}

/** The scenarios of one side, as the suite prints them. */
export function listScenarios([program, file]: SuiteCommand, side: Side): readonly Listed[] {
  const text = execFileSync(program, [file, 'list', `--${side}`], {
    encoding: 'utf8',
    timeout: LIST_DEADLINE_MS,
  })
  const listed = readList(text)
  if (listed.length === 0) throw new Error(`${file} lists no ${side} scenarios.`)
  return listed
}
