/** `deep-pilot call TOOL NAME=VALUE …`: one call of one tool, of a server that is named behind it or of the configuration. */

import type { Command } from 'commander'
import { CapabilityError, RpcError, UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { Client } from '../../client/client.ts'
import { INVALID_PARAMS } from '../../jsonrpc/message.ts'
import type { Progress } from '../../protocol/types/common.ts'
import type { Tool } from '../../protocol/types/tools.ts'
import { loadSchemaEngine } from '../../schema/check.ts'
import { helpEnd, makeCommand, repeatable } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { readArgumentsOption } from '../arguments-option.ts'
import { hostRunOf, type HostCommandOptions } from '../host-target.ts'
import type { Invocation } from '../invocation.ts'
import { withServer } from '../server-connection.ts'
import { addServerOptions, type ServerOptions } from '../server-options.ts'
import { targetOf, type Target } from '../server-target.ts'
import { similarNames } from '../similar.ts'
import { buildArguments, readPair, wantsSchema } from '../tool-arguments.ts'
import { progressLine, showToolResult, type Wish } from '../tool-result.ts'

interface CallOptions extends ServerOptions, HostCommandOptions {
  readonly args?: string
  readonly check: boolean
}

export async function callCommand(invocation: Invocation): Promise<Command> {
  const { messages } = invocation
  const host = await messages.host()
  const { commands, options } = messages
  const command = makeCommand('call', invocation)
    .description(commands.call)
    .usage('TOOL [NAME=VALUE | NAME:=JSON]... [OPTION]... [-- COMMAND [ARGUMENT]... | --url URL]')
    .argument('<TOOL>', commands.argumentTool)
    .argument('[NAME=VALUE...]', commands.argumentPairs)
    .option('--args <JSON|@FILE|->', options.args)
    .option('--json', options.json)
    .option('--no-check', options.check)
    .addOption(repeatable('--config <FILE>', host.options.config))
    .option('--yes', host.options.yes)
  addServerOptions(command, invocation)
  command.addHelpText(
    'after',
    helpEnd(messages, `${commands.callMore}\n${host.commands.callMore}`, [
      'deep-pilot call files.read_text_file path=README.md',
      'deep-pilot call calculator "expr=23*7" -- deep-pilot serve calculator',
      'deep-pilot call read_text_file path=README.md -- npx -y @modelcontextprotocol/server-filesystem .',
      'deep-pilot call search --args @query.json --json -- node server.js',
    ]),
  )
  return command.action(async (name: string, words: readonly string[], given: CallOptions) => {
    const stray = words.some((word) => !word.includes('='))
    const typed = `deep-pilot call ${terminalText(name)}`
    const run = await hostRunOf(invocation, { typed, isOther: stray, given })
    if (run !== undefined) {
      const wish = await readWish(invocation, { name, words, given })
      // One call of one server is loaded without all of this.
      const { callOnHost } = await import('./call-host.ts')
      return callOnHost(run, wish, given)
    }
    const target = wantedTarget(invocation, { name, words, given })
    const wish = await readWish(invocation, { name, words, given })
    const start = {
      target,
      options: given,
      client: { checkArguments: given.check },
      ...(given.check ? { meanwhile: loadSchemaEngine } : {}),
    }
    await withServer(invocation, start, (client) => callTool(invocation, client, wish))
  })
}

interface Typed {
  readonly name: string
  readonly words: readonly string[]
  readonly given: CallOptions
}

/** Without `--` the server's words look like arguments: the missing `--` is the fault to tell of. */
function wantedTarget(invocation: Invocation, { name, words, given }: Typed): Target {
  const isMissing = invocation.serverWords === undefined && given.url === undefined
  const typed = `deep-pilot call ${isMissing ? terminalText(name) : 'TOOL'}`
  const stray = isMissing ? words.filter((word) => !word.includes('=')) : []
  return targetOf(invocation, { typed, stray }, given)
}

async function readWish(invocation: Invocation, typed: Typed): Promise<Wish> {
  const { faults } = invocation.messages
  const { name, words, given } = typed
  const pairs = words.map((word) => readPair(word, faults))
  const base = given.args === undefined ? {} : await readArgumentsOption(given.args, faults)
  return { name, pairs, base, check: given.check }
}

async function callTool(invocation: Invocation, client: Client, wish: Wish): Promise<void> {
  const { messages, output, signal } = invocation
  const { name, pairs, base, check } = wish
  const listed = check || wantsSchema(pairs) ? await listIfOffered(client, signal) : undefined
  const tool = listed?.find((one) => one.name === name)
  if (listed !== undefined && tool === undefined && check)
    return unknownTool(invocation, name, listed)
  const args = buildArguments({ base, pairs, schema: tool?.inputSchema }, messages.faults)
  try {
    const onProgress = (progress: Progress): void => output.progress(progressLine(name, progress))
    const result = await client.callTool(name, args, { signal, onProgress })
    output.progress()
    showToolResult(invocation, result)
  } catch (error) {
    output.progress()
    if (!(error instanceof RpcError) || error.rpcCode !== INVALID_PARAMS) throw error
    // Servers answer so for an unknown tool and for wrong arguments alike; the list tells them apart. // TOOL-17
    const all = listed ?? (await listIfOffered(client, signal))
    if (all === undefined || all.some((one) => one.name === name)) throw error
    unknownTool(invocation, name, all)
  }
}

/** The tools; `undefined` when the server did not say that it has any. */
async function listIfOffered(
  client: Client,
  signal: AbortSignal,
): Promise<readonly Tool[] | undefined> {
  try {
    return await client.listTools({ signal })
  } catch (error) {
    if (error instanceof CapabilityError) return undefined
    throw error
  }
}

function unknownTool(invocation: Invocation, name: string, tools: readonly Tool[]): void {
  const all = tools.map((tool) => tool.name)
  const near = similarNames(name, all)
  const { unknownTool: inWords } = invocation.messages.faults
  const message = inWords(terminalText(name), near.map(terminalText), all.map(terminalText))
  invocation.fail(new UsageError(message, { method: 'tools/call' }), EXIT.tool)
}
