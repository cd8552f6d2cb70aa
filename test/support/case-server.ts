/**
 * Feeds one hostile input of the case list to a server under test, as bytes on its standard input, and tells every
 * reply that is missing, surplus or wrong.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import { fits } from './case-match.ts'
import type { Case } from './case-runner.ts'

interface Expectation {
  readonly replies: readonly JsonObject[]
  readonly none?: readonly (string | number)[]
  readonly exact?: boolean
  readonly alive?: boolean
  readonly close?: boolean
  readonly exit?: { readonly code?: number; readonly within_ms?: number }
  readonly hold_ms?: number
  readonly expand?: { readonly marker?: string; readonly text?: string; readonly times?: number }
}

/** Everything that is wrong with the replies; empty when all is well. */
export async function runServerCase(
  one: Case,
  folder: string,
  serverFile: string,
): Promise<readonly string[]> {
  const expected = JSON.parse(readFileSync(join(folder, one.expect ?? ''), 'utf8')) as Expectation // the list's own file
  const child = spawn(process.execPath, [serverFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: JsonObject[] = []
  collectLines(child, lines)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    child.stdin?.write(inputOf(one, folder, expected))
    if (expected.close === true) child.stdin?.end()
    await sleep(expected.hold_ms ?? 1500)
    for (let waited = 0; waited < 10_000 && missing(expected, lines).length > 0; waited += 50)
      await sleep(50)
    const problems = [...missing(expected, lines), ...surplus(expected, lines)]
    if (expected.alive === true && child.exitCode !== null) problems.push('the server has ended')
    if (expected.exit !== undefined) {
      const late = sleep(expected.exit.within_ms ?? 10_000, 'late' as const)
      const code = await Promise.race([exited, late])
      if (code !== (expected.exit.code ?? 0)) problems.push(`ended with ${String(code)}`)
    }
    return problems
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

function inputOf({ file }: Case, folder: string, { expand }: Expectation): Buffer {
  const bytes = readFileSync(join(folder, file))
  if (expand?.marker === undefined) return bytes
  const text = (expand.text ?? '').repeat(expand.times ?? 1)
  return Buffer.from(bytes.toString('utf8').replaceAll(expand.marker, () => text))
}

/** Every line of output as an object; one that is none becomes an object that fits nothing. */
function collectLines(child: ChildProcess, lines: JsonObject[]): void {
  let rest = ''
  child.stdout?.setEncoding('utf8')
  child.stdout?.on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) lines.push(readLine(line))
  })
}

function readLine(line: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) return value
  } catch {
    // Falls through: not JSON is as bad as not an object.
  }
  return { id: null, stray: line }
}

function missing({ replies }: Expectation, lines: readonly JsonObject[]): string[] {
  return replies
    .filter(
      (reply) => reply['optional'] !== true && !lines.some((line) => matchesReply(line, reply)),
    )
    .map((reply) => `no reply like ${JSON.stringify(reply)}`)
}

function surplus(expected: Expectation, lines: readonly JsonObject[]): string[] {
  const problems: string[] = []
  const left = [...expected.replies]
  for (const line of lines) {
    const isReply = !('method' in line) && ('id' in line || 'error' in line)
    if (!isReply) continue
    if (expected.none?.some((id) => id === line['id']) === true)
      problems.push(`a reply that must not be: ${JSON.stringify(line)}`)
    const at = left.findIndex((reply) => matchesReply(line, reply))
    if (at < 0) {
      if (expected.exact === true) problems.push(`a surplus reply: ${JSON.stringify(line)}`)
    } else if (left[at]?.['many'] !== true) left.splice(at, 1)
  }
  return problems
}

/** Whether a reply is one like the list describes. */
export function matchesReply(line: JsonObject, reply: JsonObject): boolean {
  const anyOf = reply['anyOf']
  if (Array.isArray(anyOf)) return anyOf.some((one) => isJsonObject(one) && matchesReply(line, one))
  if ((line['id'] ?? null) !== (reply['id'] ?? null)) return false
  const { error, result } = reply
  if (isJsonObject(error)) return isJsonObject(line['error']) && fitsError(line['error'], error)
  const told = line['result']
  if (!isJsonObject(told) || !fits(told, result)) return false
  if (reply['isError'] !== undefined && (told['isError'] ?? false) !== reply['isError'])
    return false
  return reply['text'] === undefined || textIn(told) === reply['text']
}

function fitsError(told: JsonObject, { code, data }: JsonObject): boolean {
  if (Array.isArray(code) && !code.includes(told['code'] ?? null)) return false
  return data === undefined || fits(told['data'], data)
}

function textIn(result: JsonObject): string {
  const { content } = result
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => (isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('')
}
