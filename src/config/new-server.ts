/** A server that is to be written into a file, and how the host whose file it is spells it. */

import type { JsonObject } from '../base/json.ts'
import type { HostShape } from './entry.ts'

/** Texts are written as they are, `${NAME}` unexpanded. */
export type NewServer =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd?: string
      /** A file of more variables. */
      readonly envFile?: string
      readonly more?: JsonObject
    }
  | {
      readonly kind: 'url'
      readonly url: string
      /** Left out where the address is to decide. */
      readonly transport?: 'http' | 'sse' | 'ws'
      readonly headers: Readonly<Record<string, string>>
      /** Members that only we read, as `deepPilot`; written into files without a host's mark alone. */
      readonly more?: JsonObject
    }

/** The entry in the words of a host. */
export function spelledFor(shape: HostShape, server: NewServer): JsonObject {
  return server.kind === 'stdio' ? stdioFor(shape, server) : urlFor(shape, server)
}

function stdioFor(shape: HostShape, server: NewServer & { kind: 'stdio' }): JsonObject {
  const { command, args, env, cwd, envFile, more } = server
  const folder = {
    ...(cwd !== undefined && { cwd }),
    ...(envFile !== undefined && { envFile }),
  }
  switch (shape) {
    case 'opencode':
      return { type: 'local', command: [command, ...args], ...some('environment', env), ...folder }
    case 'goose':
      return { type: 'stdio', enabled: true, cmd: command, args: [...args], ...some('envs', env) }
    case 'vscode':
      return { type: 'stdio', command, args: [...args], ...some('env', env), ...folder }
    default:
      return { command, args: [...args], ...some('env', env), ...folder, ...more }
  }
}

function urlFor(shape: HostShape, server: NewServer & { kind: 'url' }): JsonObject {
  const { url, transport, headers, more } = server
  const type = transport === undefined ? {} : { type: transport }
  switch (shape) {
    case 'opencode':
      return { type: 'remote', url, ...some('headers', headers) }
    case 'codex':
      return { url, ...some('http_headers', headers) }
    case 'goose':
      return { type: 'streamable_http', enabled: true, uri: url, ...some('headers', headers) }
    case 'windsurf':
      return { serverUrl: url, ...some('headers', headers) }
    case 'gemini-cli':
      return { [transport === 'sse' ? 'url' : 'httpUrl']: url, ...some('headers', headers) }
    case 'vscode':
      return { type: transport ?? 'http', url, ...some('headers', headers) }
    default:
      return { ...type, url, ...some('headers', headers), ...more }
  }
}

function some(key: string, texts: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(texts).length === 0 ? {} : { [key]: { ...texts } }
}
