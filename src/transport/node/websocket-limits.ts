/** What a WebSocket may cost, for both ends: the options of the library that bound it. */

/** The subprotocol of both ends. WebSocket is no transport of the protocol itself, so this name is this project's choice. */
export const SUBPROTOCOL = 'mcp'

/** Fragments that one message may come in. */
const MAX_FRAGMENTS = 16_384
/**
 * Pieces of the network that one frame may come in. The library joins them in time that grows with the square of their number
 * from some ten thousand on: 0.1 s for these, half a minute for as many as it allows by itself. A message of 32 MiB has fewer
 * in packets of any size that is in use.
 */
const MAX_CHUNKS = 32_768
/** The library counts in 32 bits with a sign, and takes 0 for no limit. */
const MAX_COUNT = 2 ** 31 - 1

/** Options of the library as the link of a port needs them. */
export interface WebSocketLimits {
  readonly perMessageDeflate: false
  readonly maxPayload: number
  readonly maxFragments: number
  readonly maxBufferedChunks: number
}

/** The limits for messages of at most so many bytes. */
export function limitsFor(maxMessageBytes: number): WebSocketLimits {
  return {
    // A compressed message costs memory that its size does not tell.
    perMessageDeflate: false,
    maxPayload: Math.min(Math.max(1, Math.floor(maxMessageBytes)), MAX_COUNT),
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
  }
}
