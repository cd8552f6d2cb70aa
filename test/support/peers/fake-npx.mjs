/**
 * Plays a program that fetches another one before it starts it, as npx does, without a network: `fetch` works until the file
 * of `GATE` is there, and then starts the server as a process of its own; `hang` does nothing at all.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { GATE, WAY } = process.env

function start() {
  const server = fileURLToPath(new URL('faulty.mjs', import.meta.url))
  const child = spawn(process.execPath, [server, 'steady'], { stdio: 'inherit' })
  child.on('exit', (code) => process.exit(code ?? 1))
}

const ways = {
  fetch() {
    const piece = Buffer.alloc(4096, 'package ')
    const work = setInterval(() => {
      appendFileSync(`${GATE}.fetched`, piece)
      if (!existsSync(GATE)) return
      clearInterval(work)
      start()
    }, 10)
  },
  hang: () => setInterval(() => {}, 1000),
}

ways[WAY]()
