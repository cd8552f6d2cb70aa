/** The built program with a played provider as its model, on a folder of its own. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HostFolder } from './cli-host.ts'
import { cli, startCli, type CliRun } from './cli.ts'
import { PlayedProvider, type PlayedReply } from './played-provider.ts'

/** A key that would be found wherever it leaked to. */
export const KEY = 'sk-played-0123456789abcdef'

export class AgentFolder extends HostFolder {
  provider: PlayedProvider | undefined

  /** Opens the provider for this part. */
  async play(...replies: readonly PlayedReply[]): Promise<PlayedProvider> {
    await this.provider?.close()
    this.provider = await PlayedProvider.open(replies)
    return this.provider
  }

  get env(): Readonly<Record<string, string>> {
    return {
      DEEP_PILOT_HOME: join(this.path, 'home'),
      LANG: 'C.UTF-8',
      ...(this.provider !== undefined && {
        DEEP_PILOT_BASE_URL: this.provider.url,
        DEEP_PILOT_API_KEY: KEY,
      }),
    }
  }

  /** Runs it to its end, with this on standard input. */
  agent(
    words: readonly string[],
    input = '',
    env: Readonly<Record<string, string>> = {},
  ): Promise<CliRun> {
    return cli(words, { cwd: this.path, env: { ...this.env, ...env }, input })
  }

  /** Starts it; whoever calls ends it. */
  started(words: readonly string[], input = ''): ChildProcessWithoutNullStreams {
    return startCli(words, { cwd: this.path, env: this.env, input })
  }

  /** Names of the sessions that are kept. */
  sessions(): readonly string[] {
    try {
      return readdirSync(join(this.path, 'home', 'sessions')).filter((name) => /^\d/.test(name))
    } catch {
      return [] // nothing was kept yet
    }
  }

  /** Everything in all files below the folder. */
  allText(): string {
    return readdirSync(this.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
  }

  async end(): Promise<void> {
    await this.provider?.close()
    this.remove()
  }
}
