/**
 * A process that serves stdio with the server's end under test: bundled by a test, and run as a child. It echoes,
 * and does on the side what its lines ask for.
 */
import { stdioServer } from '../../../src/transport/node/stdio-server.ts'

const link = await stdioServer().open({
  maxMessageBytes: 32 * 1024 * 1024,
  text(text) {
    if (text === 'print') console.log('stray from console.log')
    if (text === 'write') process.stdout.write('stray from stdout.write\n')
    if (text === 'stay') setInterval(() => {}, 1000)
    if (text === 'burst')
      for (let line = 0; line < 5000; line += 1) link.write({ text: `${line} ${'x'.repeat(500)}` })
    link.write({ text })
  },
  unreadable: (piece) => void link.write({ text: piece.reason }),
  failed() {},
  note() {},
  closed(reason) {
    console.error(`closed: ${reason?.message ?? 'in order'}`)
    void link.close()
  },
})
