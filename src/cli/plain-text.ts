/** A text that a person named a file for, or gives on standard input: read with a limit, and its faults told in the language of the run. */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { readText } from '../config/node/read-text.ts'
import type { FaultWords } from './messages/messages.ts'

const MEGABYTE = 1024 * 1024

/** The text of a file. */
export async function readPlainText(
  path: string,
  maxBytes: number,
  words: FaultWords,
): Promise<string> {
  try {
    return (await readText(path, maxBytes)).text
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const shown = terminalText(path)
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    const fault = isMissing ? words.noFile(shown) : words.unreadableFile(shown, cause ?? error)
    throw new UsageError(fault, { cause: error })
  }
}

/** All of standard input. */
export async function readInputText(
  input: AsyncIterable<unknown>,
  maxBytes: number,
  words: FaultWords,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    if (!(chunk instanceof Uint8Array)) continue
    size += chunk.length
    if (size > maxBytes)
      throw new UsageError(words.tooLarge(words.standardInput, Math.ceil(maxBytes / MEGABYTE)))
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    throw new UsageError(words.notUtf8(words.standardInput), { cause: error })
  }
}
