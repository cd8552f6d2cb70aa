/** A folder with a configuration and a state folder of its own, and the built program run on it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cli, program, type CliRun } from './cli.ts'

const root = resolve(import.meta.dirname, '../..')

/** An entry that starts one of our demo servers. */
export const calculator: object = {
  command: process.execPath,
  args: [program, 'serve', 'calculator'],
}

/** An entry that starts the legacy server for the tests of the command line. */
export const shell: object = {
  command: process.execPath,
  args: [join(root, 'test/fixtures/shell-server.mjs')],
}

/** What a server says that takes its words from a file. */
export interface SaidByFile {
  readonly info?: object
  readonly instructions?: string
  readonly tools?: readonly object[]
  /** Further members of the list of tools. */
  readonly beside?: object
  readonly stderr?: string
  readonly capabilities?: object
  /** Messages of errors, by method. */
  readonly fail?: Readonly<Record<string, string>>
}

export class HostFolder {
  readonly path: string
  /** Name of its state folder, which need not be there. */
  home = 'home'

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'deep-pilot-cli-host-'))
  }

  /** Writes a file into the folder and gives its path. */
  write(name: string, content: string | object): string {
    const path = join(this.path, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    return path
  }

  /** Writes a configuration of these servers and gives its path. */
  configure(servers: object, own: object = {}, name = 'config.json'): string {
    return this.write(name, { mcpServers: servers, deepPilot: own })
  }

  /** An entry for a server that says this from its next start on. */
  saying(name: string, said: SaidByFile): object {
    const path = this.write(`${name}.said.json`, said)
    return { command: process.execPath, args: [join(root, 'test/fixtures/file-server.mjs'), path] }
  }

  /** Runs the program with the folder's state, from within it. */
  run(...words: readonly string[]): Promise<CliRun> {
    return this.runIn('en', ...words)
  }

  runIn(language: 'en' | 'zh', ...words: readonly string[]): Promise<CliRun> {
    const env = {
      DEEP_PILOT_HOME: join(this.path, this.home),
      LANG: language === 'zh' ? 'zh_CN' : 'C',
    }
    return cli(words, { cwd: this.path, env })
  }

  remove(): void {
    // A program whose terminal was taken away may write its last words into it still.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}
