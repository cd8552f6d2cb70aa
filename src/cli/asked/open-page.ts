/** Opens an address in the browser of the system, by its own program for that and without a shell. // SEC-06 */

import { spawn } from 'node:child_process'
import { win32 } from 'node:path'

/** How long the program may take to say that it cannot. */
const WAIT_MS = 3_000

/** Undefined when it was opened, else why not. The address is one word, `https:` or `http:`, as `readVisit` gives it. */
export function openPage(
  url: string,
  {
    platform = process.platform,
    waitMs = WAIT_MS,
  }: { readonly platform?: NodeJS.Platform; readonly waitMs?: number } = {},
): Promise<string | undefined> {
  const [command, ...args] = openerOf(platform, url)
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
      shell: false,
    })
    // Some stay with the browser: that they have not failed by now is a yes.
    const timer = setTimeout(() => resolve(undefined), waitMs)
    const end = (why: string | undefined): void => {
      clearTimeout(timer)
      resolve(why)
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ENOENT' ? `${command}: not found` : `${command}: ${error.message}`),
    )
    child.once('exit', (code) => end(code === 0 ? undefined : `${command}: ${code ?? 'killed'}`))
    child.unref()
  })
}

function openerOf(platform: NodeJS.Platform, url: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', url]
  // `start` is a word of the shell, to which an address is more than a word.
  if (platform === 'win32') {
    // By its bare name one in the working folder would come first.
    const program = win32.join(
      process.env['SystemRoot'] ?? 'C:\\Windows',
      'System32',
      'rundll32.exe',
    )
    return [program, 'url.dll,FileProtocolHandler', url]
  }
  return ['xdg-open', url]
}
