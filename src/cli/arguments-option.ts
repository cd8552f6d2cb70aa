/** One JSON object, from the command line, a file or standard input: all arguments of a tool, the params of a request. */

import { readFile } from 'node:fs/promises'
import { UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import { MAX_INPUT_BYTES, readJsonObject } from './json-input.ts'
import type { FaultWords } from './messages/messages.ts'

/** The object that `--args` names: JSON itself, `@FILE`, or `-` for standard input. */
export function readArgumentsOption(
  option: string,
  words: FaultWords,
  input: AsyncIterable<Uint8Array> = process.stdin,
): Promise<JsonObject> {
  return readObject(option, { name: '--args', input }, words)
}

/** The same for a word that stands by itself; `name` is what it is called in errors. */
export async function readObject(
  option: string,
  { name, input = process.stdin }: { name: string; input?: AsyncIterable<Uint8Array> },
  words: FaultWords,
): Promise<JsonObject> {
  if (option === '-') {
    const place = words.standardInput
    return readJsonObject(decode(await readAll(input, place, words), place, words), place, words)
  }
  if (!option.startsWith('@')) return readJsonObject(option, name, words)
  const path = option.slice(1)
  if (path === '') throw new UsageError(words.noFileName(name))
  const place = `"${terminalText(path)}"`
  return readJsonObject(decode(await readBytes(path, words), place, words), place, words)
}

async function readBytes(path: string, words: FaultWords): Promise<Uint8Array> {
  const shown = terminalText(path)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UsageError(words.noFile(shown), { cause: error })
    }
    throw new UsageError(words.unreadableFile(shown, error), { cause: error })
  }
  if (bytes.length > MAX_INPUT_BYTES) throw tooLarge(`"${shown}"`, words)
  return bytes
}

async function readAll(
  input: AsyncIterable<Uint8Array>,
  place: string,
  words: FaultWords,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    size += chunk.length
    if (size > MAX_INPUT_BYTES) throw tooLarge(place, words)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(place: string, words: FaultWords): UsageError {
  return new UsageError(words.tooLarge(place, MAX_INPUT_BYTES / 1024 / 1024))
}

/** Strict UTF-8; a byte order mark is taken off. */
function decode(bytes: Uint8Array, place: string, words: FaultWords): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(words.notUtf8(place), { cause: error })
  }
}
