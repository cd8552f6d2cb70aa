/**
 * Reads the lines of standard input for the programs of tests. Not with readline: from Node 24 on it takes U+2028 and
 * U+2029 for ends of lines, which JSON lets stand in a text.
 */
export function linesOfInput(onLine, onEnd = () => {}) {
  let rest = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) onLine(line)
  })
  process.stdin.on('end', () => {
    if (rest !== '') onLine(rest)
    onEnd()
  })
}
