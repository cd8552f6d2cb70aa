/**
 * The peers of the interop matrix: what each is made of, which revisions it speaks over which transport, how its tools are
 * called, and which of its faults are known. What is not listed as spoken must be refused. Data; `interop-install.ts`
 * brings them, docs/interop.md says how to add one.
 */
import type { JsonObject } from '../src/base/json.ts'
import { REVISIONS, type Revision } from '../src/protocol/revision.ts'
import type { KnownFault, Way } from './interop-rows.ts'

/** How a peer is brought here; `files` lie under test/interop/peers. */
export type Source =
  | { readonly kind: 'own'; readonly folder: string }
  | { readonly kind: 'python'; readonly packages: readonly string[] }
  | { readonly kind: 'go' | 'rust'; readonly folder: string }

/** A call and what its text must hold. */
export interface Expected {
  readonly name: string
  readonly args?: JsonObject
  readonly text: string
}

/** What a server has for each step; what is missing here it has not. */
export interface Face {
  readonly call: Expected
  readonly fail?: Expected & { readonly isError?: false }
  readonly progress?: Expected & { readonly count: number }
  readonly resource?: { readonly uri: string; readonly text: string }
  readonly prompt?: Expected
  /** A form for the person, and a message of the model. */
  readonly ask?: Expected
  readonly sample?: Expected
  /** `told` says whether the call was cancelled on the server. */
  readonly cancel?: { readonly name: string; readonly told: Expected }
}

export interface ServerWay {
  /** Program and words; for HTTP its first line is its address. The first word is looked up by `commandOf`. */
  readonly command: readonly string[]
  readonly speaks: readonly Revision[]
  /** Path at the address. */
  readonly path?: string
  /** For an address with another path in the newest era. */
  readonly modernPath?: string
}

export interface Peer {
  readonly name: string
  readonly version: string
  readonly source: Source
  readonly server?: {
    readonly face: Face
    readonly ways: Partial<Readonly<Record<Way, ServerWay>>>
  }
  readonly client?: {
    readonly command: readonly string[]
    readonly ways: Partial<Readonly<Record<Way, readonly Revision[]>>>
  }
  readonly faults?: readonly KnownFault[]
}

const LEGACY = REVISIONS.slice(0, 4)
const STREAMABLE = LEGACY.slice(1)
const ALL = REVISIONS
const MODERN_AND_STREAMABLE = REVISIONS.slice(1)

/** What the peers written for this matrix have. */
const FACE: Face = {
  call: { name: 'echo', args: { text: 'zwölf 字' }, text: 'zwölf 字' },
  fail: { name: 'fail', text: 'out of paper' },
  progress: { name: 'steps', args: { count: 3 }, text: 'done', count: 3 },
  resource: { uri: 'peer://text', text: 'plain words' },
  prompt: { name: 'hello', text: 'Hello' },
  ask: { name: 'ask', text: 'hello Ada' },
  sample: { name: 'sample', text: 'so be it' },
  cancel: { name: 'wait', told: { name: 'given-up', text: 'yes' } },
}

/** The servers of the TypeScript SDKs are those of the tests. */
const SDK_FACE: Face = {
  ...FACE,
  fail: { name: 'fail', text: 'this tool always fails' },
  progress: { name: 'progress', args: { steps: 3 }, text: 'done', count: 3 },
  ask: { name: 'elicit', text: 'Ada' },
  cancel: { name: 'wait', told: { name: 'was-cancelled', text: '' } },
}

/** Progress waits for a turn that the answer does not wait for: read in one piece with the answer it is dropped. */
const LATE_PROGRESS: KnownFault = {
  step: 'progress',
  role: 'client',
  sometimes: true,
  why: 'drops progress that it reads in one piece with the answer',
}

const SUPPORT = 'test/support/peers'
const TYPESCRIPT = 'test/interop/peers/typescript'

export const PEERS: readonly Peer[] = [
  {
    name: 'typescript-sdk v1',
    version: '1.32.2',
    source: { kind: 'own', folder: SUPPORT },
    server: {
      face: SDK_FACE,
      ways: {
        stdio: { command: ['node', `${SUPPORT}/sdk1-server.mjs`], speaks: LEGACY },
        http: { command: ['node', `${SUPPORT}/sdk1-http.mjs`], speaks: STREAMABLE, path: '/mcp' },
        sse: { command: ['node', `${SUPPORT}/sdk1-http.mjs`], speaks: LEGACY, path: '/sse' },
      },
    },
    client: {
      command: ['node', `${TYPESCRIPT}/sdk1-client.mjs`, 'client'],
      ways: { stdio: LEGACY, http: STREAMABLE, sse: LEGACY },
    },
    faults: [LATE_PROGRESS],
  },
  {
    name: 'typescript-sdk v2',
    version: '2.4.0',
    source: { kind: 'own', folder: SUPPORT },
    server: {
      face: SDK_FACE,
      ways: {
        stdio: { command: ['node', `${SUPPORT}/sdk2-server.mjs`], speaks: ALL },
        http: {
          command: ['node', `${SUPPORT}/sdk2-http.mjs`],
          speaks: MODERN_AND_STREAMABLE,
          path: '/sessions',
          modernPath: '/streams',
        },
      },
    },
    client: {
      command: ['node', `${TYPESCRIPT}/sdk2-client.mjs`, 'client'],
      ways: { stdio: ALL, http: MODERN_AND_STREAMABLE, sse: LEGACY },
    },
    faults: [LATE_PROGRESS],
  },
  {
    name: 'python-sdk',
    version: '2.3.0',
    source: { kind: 'python', packages: ['mcp==2.3.0'] },
    server: {
      face: FACE,
      ways: {
        stdio: { command: ['python', 'python/server.py', 'stdio'], speaks: ALL },
        http: {
          command: ['python', 'python/server.py', 'http'],
          speaks: MODERN_AND_STREAMABLE,
          path: '/mcp',
        },
        sse: { command: ['python', 'python/server.py', 'http'], speaks: LEGACY, path: '/sse' },
      },
    },
    client: {
      command: ['python', 'python/client.py'],
      ways: { stdio: ALL, http: MODERN_AND_STREAMABLE, sse: LEGACY },
    },
  },
  {
    name: 'go-sdk',
    version: '1.8.0',
    source: { kind: 'go', folder: 'go' },
    server: {
      face: FACE,
      ways: {
        stdio: { command: ['peer', 'server', 'stdio'], speaks: ALL },
        http: {
          command: ['peer', 'server', 'http'],
          speaks: MODERN_AND_STREAMABLE,
          path: '/mcp',
          modernPath: '/stateless',
        },
        sse: { command: ['peer', 'server', 'http'], speaks: LEGACY, path: '/sse' },
      },
    },
    client: {
      command: ['peer', 'client'],
      ways: { stdio: ALL, http: MODERN_AND_STREAMABLE, sse: LEGACY },
    },
  },
  {
    name: 'rmcp',
    version: '3.11.0',
    source: { kind: 'rust', folder: 'rust' },
    server: {
      face: FACE,
      ways: {
        stdio: { command: ['peer', 'server', 'stdio'], speaks: ALL },
        http: {
          command: ['peer', 'server', 'http'],
          speaks: MODERN_AND_STREAMABLE,
          path: '/mcp',
        },
      },
    },
    client: {
      command: ['peer', 'client'],
      ways: { stdio: ALL, http: MODERN_AND_STREAMABLE },
    },
  },
  {
    name: 'mcp-server-fetch',
    version: '2026.10.24',
    source: { kind: 'python', packages: ['mcp-server-fetch==2026.10.24'] },
    server: {
      face: {
        call: { name: 'fetch', args: { url: '${PAGE}', raw: true }, text: 'plain words' },
        fail: { name: 'fetch', args: { url: '${PAGE}nothing' }, text: '404' },
        prompt: { name: 'fetch', args: { url: '${PAGE}' }, text: 'plain words' },
      },
      ways: {
        stdio: { command: ['script', 'mcp-server-fetch', '--allow-private-ips'], speaks: ALL },
      },
    },
  },
  {
    name: 'python, standard library',
    version: 'examples',
    source: { kind: 'own', folder: 'examples' },
    server: {
      face: {
        call: { name: 'calculator', args: { expr: '23*7' }, text: '161' },
        fail: { name: 'calculator', args: { expr: '1/0' }, text: 'Division by zero.' },
      },
      ways: {
        stdio: { command: ['python3', 'examples/text-b-server.py'], speaks: LEGACY },
      },
    },
  },
]
