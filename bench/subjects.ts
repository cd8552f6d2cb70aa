/**
 * Who takes part: clients and servers by name, the pairs they are measured in, and what must be there
 * for that. The programs themselves are under `subjects/`.
 */

import { existsSync } from 'node:fs'
import { benchFile, root } from './driver.ts'
import { install, nodeFor, peerFolder, type PeerName } from './peers/install.mjs'
import type { Role } from './table.ts'

export interface Client {
  readonly file: string
  readonly variant?: string
  /** The peer whose folder and Node it needs. */
  readonly peer?: PeerName
}

export interface ServerSide {
  readonly file: string
  readonly words?: readonly string[]
  readonly peer?: PeerName
}

export interface Pair {
  readonly id: string
  readonly label: string
  readonly role: Role
  readonly client: Client
  readonly server: ServerSide
}

type ClientName =
  | 'echo'
  | 'joined'
  | 'raw'
  | 'rawModern'
  | 'ours'
  | 'oursLegacy'
  | 'oursModern'
  | 'sdk1'
  | 'sdk2'
  | 'sdk2Auto'
  | 'sdk2Modern'
  | 'aiSdk'

export const clients: Readonly<Record<ClientName, Client>> = {
  echo: { file: 'echo-client' },
  joined: { file: 'echo-client', variant: 'joined' },
  raw: { file: 'raw-client' },
  rawModern: { file: 'raw-client', variant: 'modern' },
  ours: { file: 'deep-pilot-client', variant: 'auto' },
  oursLegacy: { file: 'deep-pilot-client', variant: 'legacy' },
  oursModern: { file: 'deep-pilot-client', variant: 'modern' },
  sdk1: { file: 'sdk1-client' },
  sdk2: { file: 'sdk2-client', variant: 'legacy' },
  sdk2Auto: { file: 'sdk2-client', variant: 'auto' },
  sdk2Modern: { file: 'sdk2-client', variant: 'modern' },
  aiSdk: { file: 'ai-sdk-client', peer: 'ai-sdk' },
}

type ServerName =
  | 'echo'
  | 'joined'
  | 'raw'
  | 'rawLegacy'
  | 'rawCut'
  | 'ours'
  | 'sdk1'
  | 'sdk2'
  | 'fastmcp'

export const servers: Readonly<Record<ServerName, ServerSide>> = {
  echo: { file: 'echo-server' },
  joined: { file: 'echo-server', words: ['--joined'] },
  raw: { file: 'raw-server' },
  rawLegacy: { file: 'raw-server', words: ['--era', 'legacy'] },
  rawCut: { file: 'raw-server', words: ['--cut'] },
  ours: { file: 'deep-pilot-server' },
  sdk1: { file: 'sdk1-server' },
  sdk2: { file: 'sdk2-server' },
  fastmcp: { file: 'fastmcp-server', peer: 'fastmcp' },
}

/** What is missing for it, in one line; undefined when all is there. Installs peers when that is allowed. */
export function missing(pair: Pair, mayInstall: boolean): string | undefined {
  const files = [pair.client.file, pair.server.file]
  const distMissing = !existsSync(`${root}/dist/index.js`)
  if (distMissing && files.some((file) => file.startsWith('deep-pilot'))) {
    return 'dist/ is not built: run "npm run build"'
  }
  for (const { peer } of [pair.client, pair.server]) {
    const reason = peer === undefined ? undefined : missingPeer(peer, mayInstall)
    if (reason !== undefined) return reason
  }
  return undefined
}

const answers = new Map<string, string | undefined>()

/** Tries an installation once a run. */
export function missingPeer(peer: PeerName, mayInstall: boolean): string | undefined {
  if (!mayInstall) {
    return existsSync(`${peerFolder(peer)}/installed.json`) && existsSync(nodeFor(peer))
      ? undefined
      : `not installed: run "node bench/peers/install.mjs ${peer}"`
  }
  if (!answers.has(peer)) answers.set(peer, install(peer))
  return answers.get(peer)
}

/** The order's part that names both sides, and the Node for the client. */
export function sides(
  pair: Pair,
  serverWords: readonly string[] = [],
): { order: { client: object; server: object }; node: string } {
  const { client, server } = pair
  const file = benchFile('subjects', `${client.file}.mjs`)
  const args = [
    benchFile('subjects', `${server.file}.mjs`),
    ...(server.words ?? []),
    ...serverWords,
  ]
  const node = client.peer === undefined ? process.execPath : nodeFor(client.peer)
  return {
    order: {
      client: { file, variant: client.variant },
      server: { command: process.execPath, args },
    },
    node,
  }
}
