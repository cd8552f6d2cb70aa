/**
 * Cuts a stream into lines in linear time: each chunk is scanned once, a line in pieces is joined once.
 * What the raw pair needs and no more; no limit, no check of the encoding.
 */

/** @param {import('node:stream').Readable} stream @param {(line: string) => void} onLine */
export function eachLine(stream, onLine) {
  let pieces = []
  stream.setEncoding('utf8').on('data', (chunk) => {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const tail = chunk.slice(start, end)
      start = end + 1
      if (pieces.length === 0) onLine(tail)
      else {
        pieces.push(tail)
        const line = pieces.join('')
        pieces = []
        onLine(line)
      }
    }
    if (start < chunk.length) pieces.push(start === 0 ? chunk : chunk.slice(start))
  })
}
