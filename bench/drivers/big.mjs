/**
 * Fetches one text of so many bytes a few times. Reports the median time, and the peak memory of both
 * sides. A fresh process for each size, so that the peaks are their own.
 */
import { loadClient, median, order, peakMemory, report, serverPid } from './measure.mjs'

const connect = await loadClient()
const client = await connect()
const server = serverPid()
const times = []
for (let round = 0; round <= order.repeats; round++) {
  const start = performance.now()
  const { content } = await client.call('blob', { bytes: order.bytes })
  times.push(performance.now() - start)
  const { length } = content[0].text
  if (length !== order.bytes) throw new Error(`asked for ${order.bytes} bytes, got ${length}`)
}
// The first one makes the text on the server and warms both sides up.
const values = {
  ms: median(times.slice(1)),
  clientMiB: peakMemory(),
  serverMiB: peakMemory(server),
}
await client.close()
report(values)
