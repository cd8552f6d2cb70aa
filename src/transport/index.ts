/** The door of the transports that run anywhere. Those that need Node are behind `transport/node`. */

export { memoryPair, memoryWire } from './memory.ts'
export type { MemoryMove, MemoryOptions, MemoryWire } from './memory.ts'
