/** Heap sizes that mean something: measured after the garbage is gone. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void // the flag above puts it there

/** Bytes of live JavaScript objects and of the memory behind typed arrays. */
export function liveBytes(): { readonly heap: number; readonly buffers: number } {
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers }
}
