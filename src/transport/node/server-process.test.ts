import { expect, it } from 'vitest'
import { recordingPort } from '../../../test/support/stdio/port.ts'
import { systemProcesses, type ProcessPort } from './process-group.ts'
import { stdio } from './stdio-client.ts'

const ENDS = ['-e', 'process.stdin.resume()']

it('tells the watch of a process before another one is started, and of the watch before the first', async () => {
  const order: string[] = []
  const processes: ProcessPort = {
    ...systemProcesses,
    start(...words) {
      order.push('start')
      return systemProcesses.start(...words)
    },
  }
  const watch = {
    prepare: () => void order.push('prepare'),
    add: () => void order.push('add'),
    remove: () => void order.push('remove'),
  }
  const transport = stdio({ command: process.execPath, args: ENDS, processes, watch })
  const links = await Promise.all([1, 2, 3].map(() => transport.open(recordingPort())))
  expect(order).toEqual([1, 2, 3].flatMap(() => ['prepare', 'start', 'add']))
  await Promise.all(links.map((link) => link.close()))
  expect(order.slice(9)).toEqual(['remove', 'remove', 'remove'])
})

it('tells the watch of nothing that could not be started', async () => {
  const told: number[] = []
  const watch = { add: (leader: number) => void told.push(leader), remove: () => undefined }
  const transport = stdio({ command: '/nowhere/to/be/found', watch })
  await expect(transport.open(recordingPort())).rejects.toMatchObject({
    code: 'DP_TRANSPORT_SPAWN',
  })
  expect(told).toEqual([])
})
