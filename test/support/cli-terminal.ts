/** The built program at a terminal of its own, where the system has `script` to make one. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { program } from './cli.ts'

const SCRIPT = '/usr/bin/script'

/** Whether a terminal can be made here: `script` as util-linux has it. */
export const hasTerminal: boolean =
  existsSync(SCRIPT) &&
  spawnSync(SCRIPT, ['--version'], { encoding: 'utf8' }).stdout.includes('util-linux')

export interface TerminalRun {
  /** Everything that the terminal was sent, escape sequences among it. */
  readonly shown: string
  readonly code: number | null
}

/** Keys to press, each once its words have appeared behind those of the step before. */
export type TerminalSteps = readonly (readonly [words: string, keys: string])[]

export const KEYS = { up: '\u001b[A', down: '\u001b[B', enter: '\r', interrupt: '\u0003' } as const

/** Runs the program and presses the keys. */
export function atTerminal(
  words: readonly string[],
  steps: TerminalSteps,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<TerminalRun> {
  const command = [process.execPath, program, ...words].map(quoted).join(' ')
  const { HOME = '', PATH = '' } = process.env
  const child = spawn(SCRIPT, ['-qefc', `stty rows 40 columns 100; ${command}`, '/dev/null'], {
    cwd: options.cwd,
    env: { HOME, PATH, TERM: 'xterm', SHELL: '/bin/sh', ...options.env },
  })
  const left = [...steps]
  let shown = ''
  let from = 0
  child.stdin.on('error', () => {})
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    for (let next = left[0]; next !== undefined; next = left[0]) {
      const at = shown.indexOf(next[0], from)
      if (at < 0) return
      from = at + next[0].length
      left.shift()
      child.stdin.write(next[1])
    }
  })
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (left.length === 0) settle({ shown, code })
      else reject(new Error(`It ended without showing "${left[0]?.[0]}": ${shown}`))
    })
  })
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
