/** `deep-pilot demo`: a tour with real servers, told in order between all messages on the wire. No key, no network. */

import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { displayWidth, terminalText } from '../../base/terminal-text.ts'
import { PRODUCT } from '../../client/options.ts'
import { joinSinks, type WireSink } from '../../jsonrpc/wire.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import { findFilesystemServer } from '../demo/filesystem.ts'
import { filesystemStation, ownStation, visitStation, type Station } from '../demo/tour.ts'
import { exitCodeOf } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { noteSink } from '../note-log.ts'
import { addCaptureOptions, type ServerOptions } from '../server-options.ts'
import { openRecording, wireView } from '../trace.ts'

export function demoCommand(invocation: Invocation): Command {
  const { messages } = invocation
  const command = makeCommand('demo', invocation)
    .description(messages.commands.demo)
    .usage('[OPTION]...')
  return addCaptureOptions(command, messages)
    .addHelpText(
      'after',
      helpEnd(messages, undefined, [
        'deep-pilot demo',
        'deep-pilot demo --lang zh --capture demo.jsonl',
      ]),
    )
    .action(async (options: ServerOptions) => {
      refuseServerWords(invocation, 'demo')
      const recording = await openRecording(invocation, options, [])
      try {
        await tour(invocation, recording.sink)
      } finally {
        await recording.close()
      }
    })
}

async function tour(invocation: Invocation, recording: WireSink | undefined): Promise<void> {
  const { output, messages, logger, signal } = invocation
  const { demo } = messages
  const folder = process.cwd()
  let count = 0
  const counter: WireSink = (event) => void (event.type === 'message' && (count += 1))
  const tell = (text: string): void => output.line(bold(text, output.color))

  output.line(demo.intro(`deep-pilot ${PRODUCT.version}`))
  output.line(demo.rootFolder(terminalText(folder)))
  const stations = stationsIn(invocation, folder)
  for (const [at, station] of stations.entries()) {
    output.line('')
    output.line(heading(`${at + 1}/${stations.length} ${station.title}`, output.columns ?? 80))
    try {
      // A view a station: with one for all, it would name connections in every line.
      const view = await wireView(invocation, 'result')
      const wire = joinSinks(counter, view, noteSink(logger), recording) ?? counter
      await visitStation(station, { invocation, wire, tell })
    } catch (error) {
      if (signal.aborted) throw error
      output.line(demo.failed(station.title))
      invocation.fail(error, exitCodeOf(error))
    }
  }
  output.line('')
  output.line(demo.outro(stations.length, count))
}

function stationsIn(invocation: Invocation, folder: string): readonly Station[] {
  const { messages, output, program } = invocation
  const { demo } = messages
  const official = findFilesystemServer([folder, fileURLToPath(new URL('.', import.meta.url))])
  if (official === undefined) output.line(demo.absent)
  const calculation = { server: 'calculator', args: { expr: '23*7' }, shown: '23*7' } as const
  const question = { server: 'weather', args: { city: '北京' }, shown: '北京' } as const
  return [
    ...(official === undefined ? [] : [filesystemStation(demo.filesystem, official, folder)]),
    ownStation(demo.calculator, program, { ...calculation, era: 'legacy' }),
    ownStation(demo.weather, program, { ...question, era: 'legacy' }),
    ownStation(demo.calculatorModern, program, { ...calculation, era: 'modern' }),
  ]
}

function heading(text: string, columns: number): string {
  const line = `── ${text} `
  return line + '─'.repeat(Math.max(3, Math.min(columns, 100) - displayWidth(line)))
}

function bold(text: string, color: boolean): string {
  return color ? `\u001b[1m${text}\u001b[0m` : text
}
