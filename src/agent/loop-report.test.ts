import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import type { ModelReply, ModelWarning } from './model.ts'
import type { ScriptedReply } from './models/scripted.ts'

const ignored: ModelWarning = { kind: 'ignored-option', message: 'It has no temperature.' }

function warned(message: string): ModelWarning {
  return { kind: 'made-id', message }
}

const calls = (...warnings: readonly ModelWarning[]): ScriptedReply => ({
  calls: [{ name: 'fs__look' }],
  warnings,
})

describe('warnings of replies', () => {
  it('are told once where each reply comes with the same one', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [
      calls(ignored),
      calls(ignored, { ...ignored, message: 'Nor a seed.' }),
      'Done.',
    ])
    const run = await runToEnd(room.options)
    expect(eventsOf(run, 'warning').map(({ message }) => message)).toEqual([
      'It has no temperature.',
      'Nor a seed.',
    ])
    const replies = eventsOf(run, 'reply').map(({ reply }) => reply)
    expect(replies.map(({ warnings }: ModelReply) => warnings.length)).toEqual([1, 2, 0])
  })

  it('tell of ids that were made once in a conversation, whichever call and run it was', async () => {
    const script = [calls(warned('Call 1 …')), calls(warned('Call 2 …')), 'Done.']
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [...script, ...script])
    const first = await runToEnd(room.options)
    expect(eventsOf(first, 'warning').map(({ message }) => message)).toEqual([
      'Call 1 … More of such calls are not told.',
    ])
    room.transcript.say('Again.')
    expect(eventsOf(await runToEnd(room.options), 'warning')).toEqual([])
    const other = await agentRoom({ fs: toolServer(tool('look')) }, script)
    expect(eventsOf(await runToEnd(other.options), 'warning')).toHaveLength(1)
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })
})
