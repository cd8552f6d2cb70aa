/**
 * The built program at a real terminal of its own, made by Python's `pty` where there is one: keys go in, and what a person would
 * see comes out. It knows no screen, only what was written, in order.
 */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { program } from './cli.ts'

/** Gives its child a terminal of a size, and carries bytes both ways until the child ends; ends as it ended. */
const BRIDGE = `
import fcntl, os, pty, select, struct, sys, termios
size = struct.pack('HHHH', int(sys.argv[2]), int(sys.argv[1]), 0, 0)
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(sys.argv[3], sys.argv[3:])
sources = [0, terminal]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        keys = os.read(0, 65536)
        if keys: os.write(terminal, keys)
        else: sources.remove(0)
    if terminal in ready:
        try: shown = os.read(terminal, 65536)
        except OSError: shown = b''
        if not shown: break
        os.write(1, shown)
_, status = os.waitpid(pid, 0)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`

/** Why there is no such terminal on this machine; undefined where there is one. */
export const noTerminal: string | undefined =
  spawnSync('python3', ['-c', 'import fcntl, pty, termios']).status === 0
    ? undefined
    : 'there is no python3 with pty'

/** Keys, as a terminal sends them. */
export const KEYS = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  interrupt: '\u0003',
  end: '\u0004',
} as const

/** What is not shown by then never comes; a test says so with all that was shown. */
const PATIENCE_MS = 20_000

export interface TerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Default 80. */
  readonly columns?: number
  /** Default 40. */
  readonly rows?: number
}

export class PseudoTerminal {
  /** Settles with the exit code of the program. */
  readonly ended: Promise<number | null>
  readonly #child: ChildProcessWithoutNullStreams
  #written = ''
  /** Where the next search begins. */
  #seen = 0
  #changed: () => void = () => {}
  #isOver = false

  constructor(words: readonly string[], { cwd, env, columns = 80, rows = 40 }: TerminalOptions) {
    const { HOME = '', PATH = '' } = process.env
    const size = [String(columns), String(rows)]
    this.#child = spawn('python3', ['-c', BRIDGE, ...size, process.execPath, program, ...words], {
      cwd,
      env: { HOME, PATH, TERM: 'xterm-256color', ...env },
    })
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#written += text
      this.#changed()
    })
    this.ended = new Promise((settle, reject) => {
      this.#child.on('error', reject)
      this.#child.on('close', (code) => {
        this.#isOver = true
        this.#changed()
        settle(code)
      })
    })
  }

  /** All that was written, with its escapes. */
  get written(): string {
    return this.#written
  }

  /** The same as text alone. */
  get text(): string {
    return plain(this.#written)
  }

  press(keys: string): void {
    this.#child.stdin.write(keys)
  }

  /** Settles when this was written after what was waited for before. */
  async shown(words: string): Promise<void> {
    const late = AbortSignal.timeout(PATIENCE_MS)
    late.addEventListener('abort', () => this.#changed())
    for (;;) {
      const at = this.text.indexOf(words, this.#seen)
      if (at >= 0) {
        this.#seen = at + words.length
        return
      }
      if (this.#isOver || late.aborted) {
        const what = this.#isOver ? 'It ended without showing' : 'It does not show'
        throw new Error(`${what} "${words}":\n${this.text}`)
      }
      await new Promise<void>((settle) => {
        this.#changed = settle
      })
    }
  }

  /** Ends it, whatever it does. */
  close(): void {
    this.#child.kill('SIGKILL')
  }
}

function plain(written: string): string {
  return stripVTControlCharacters(written).replaceAll('\r', '')
}
