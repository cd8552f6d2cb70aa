/** `deep-pilot read URI`: what a resource holds, as it is. */

import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { ProtocolError, UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { decodeBase64 } from '../../formats/base64.ts'
import type { ReadResourceResult } from '../../protocol/types/resources.ts'
import { humanBytes } from '../../tools/content.ts'
import type { Invocation } from '../invocation.ts'
import type { FaultWords } from '../messages/messages.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'
import { showText } from '../shown-text.ts'

interface ReadOptions extends ServerOptions {
  readonly output?: string
}

type Contents = ReadResourceResult['contents'][number]

export function readCommand(invocation: Invocation): Command {
  const { messages, output, signal, json } = invocation
  const { commands, options } = messages
  return makeServerCommand(invocation, {
    name: 'read',
    about: commands.read,
    usage: 'URI',
    more: commands.readMore,
    declare: (command) =>
      command
        .argument('<URI>', commands.argumentUri)
        .argument('[extra...]')
        .option('-o, --output <FILE>', options.output),
    examples: [
      'deep-pilot read file:///notes/today.md -- node server.js',
      'deep-pilot read app://logo --output logo.png --url https://example.com/mcp',
    ],
  }).action(async (uri: string, stray: readonly string[], given: ReadOptions) => {
    await useServer(invocation, { name: 'read URI', stray, options: given }, async (client) => {
      const result = await client.readResource(uri, { signal })
      if (given.output !== undefined) await toFile(invocation, result, given.output)
      else if (json) output.json(result)
      else toOutput(invocation, result)
    })
  })
}

function toOutput(invocation: Invocation, { contents }: ReadResourceResult): void {
  const { output, messages } = invocation
  const { notes, faults } = messages
  if (contents.length === 0) return output.note(notes.noContents)
  const binary = contents.find((one) => 'blob' in one && !('text' in one))
  if (binary !== undefined) {
    const bytes = bytesOf(binary, faults)
    const what = [typeOf(binary), humanBytes(bytes.length)].filter((fact) => fact !== '').join(', ')
    if (contents.length > 1) throw new UsageError(faults.mixedContents(contents.length))
    if (output.columns !== undefined) throw new UsageError(faults.binaryToTerminal(what))
    return output.bytes(bytes)
  }
  for (const [at, one] of contents.entries()) {
    if (contents.length > 1)
      output.note(notes.content(at + 1, contents.length, terminalText(one.uri)))
    showText(invocation, 'text' in one ? String(one.text) : '')
  }
}

/** Makes the file, and never writes over one. */
async function toFile(
  { output, messages }: Invocation,
  { contents }: ReadResourceResult,
  path: string,
): Promise<void> {
  const { faults, notes } = messages
  const [only, ...more] = contents
  if (only === undefined) return output.note(notes.noContents)
  if (more.length > 0) throw new UsageError(faults.severalContents(contents.length))
  const bytes = 'text' in only ? new TextEncoder().encode(String(only.text)) : bytesOf(only, faults)
  const shown = terminalText(path)
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(exists ? faults.fileExists(shown) : faults.unwritableFile(shown, error), {
      cause: error,
    })
  }
  const what = [typeOf(only), humanBytes(bytes.length)].filter((fact) => fact !== '').join(', ')
  output.note(notes.saved(shown, what))
}

function typeOf({ mimeType }: Contents): string {
  return typeof mimeType === 'string' ? terminalText(mimeType) : ''
}

function bytesOf(contents: Contents, { notBase64 }: FaultWords): Uint8Array {
  const bytes = 'blob' in contents ? decodeBase64(String(contents.blob)) : undefined
  if (bytes !== undefined) return bytes
  throw new ProtocolError('DP_PROTOCOL_RESULT', notBase64, {
    method: 'resources/read',
    requirement: 'RES-03',
    detail: { kind: 'told' },
  }) // RES-03
}
