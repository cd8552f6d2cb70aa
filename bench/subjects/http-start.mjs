/** Starts an HTTP server of the bench as a process and waits for the address that it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function startServer(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('\n')) break
  }
  if (!printed.includes('\n')) throw new Error(`${args[0]} printed no address`)
  child.stdout.resume()
  return {
    url: printed.trim(),
    async stop() {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** For servers: prints the address, and ends the process when its starter lets go of the input. */
export function announce(server) {
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`)
  })
  leaveWithStarter()
}

export function leaveWithStarter() {
  process.stdin.on('end', () => process.exit(0)).resume()
}
