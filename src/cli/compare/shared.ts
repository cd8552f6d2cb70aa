/** One running tool and two hosts that know nothing of one another, at the same time. */

import { silentLogger } from '../../base/log.ts'
import { BugError } from '../../base/errors.ts'
import { configOf } from '../../config/config.ts'
import type { UrlEntry } from '../../config/entry.ts'
import { Host } from '../../host/host.ts'
import { DEFAULT_POLICY } from '../../policy/policy.ts'
import { resultToText } from '../../tools/content.ts'
import { startChild } from './child.ts'
import { givenEntry } from './given-entry.ts'
import type { Subject } from './subject.ts'

export interface Shared {
  /** Hosts that had the right answer while both were connected. */
  readonly hosts: number
  /** The process that answered. */
  readonly pid: number
}

const HOSTS = 2

export async function shareOverMcp(
  subject: Subject,
  program: string,
  signal: AbortSignal,
): Promise<Shared> {
  const words = ['compare', '--role', 'http-server', '--tool', subject.name]
  const child = await startChild(program, words, signal)
  const { pid, url } = child.ready
  const hosts: Host[] = []
  try {
    if (typeof pid !== 'number' || typeof url !== 'string')
      throw new BugError('The server did not say where it listens.')
    for (let at = 0; at < HOSTS; at += 1) hosts.push(await openHost(subject, url))
    const texts = await Promise.all(
      hosts.map(async (host) => {
        const identity = { server: subject.name, name: subject.name }
        return resultToText(await host.callTool(identity, subject.args, { signal }))
      }),
    )
    return { hosts: texts.filter((text) => text === texts[0]).length, pid }
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
    await child.kill()
  }
}

async function openHost({ name }: Subject, url: string): Promise<Host> {
  const host = await Host.open(configOf([entryOf(name, url)]), {
    logger: silentLogger,
    lock: false,
    pinning: 'off',
    policy: { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: name }] },
  })
  await host.settled()
  host.turn()
  return host
}

function entryOf(key: string, url: string): UrlEntry {
  return { ...givenEntry(key), transport: 'streamable-http', url, headers: {} }
}
