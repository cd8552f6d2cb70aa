/** A client of ours at one of the suite's servers: the revision it is to speak, and who answers what the server asks. */
import {
  applyDefaults,
  connect,
  REVISIONS,
  SKILLS_EXTENSION,
  type Answers,
  type Client,
  type JsonObject,
  type Revision,
} from '../../../src/index.ts'
import { http } from '../../../src/node/index.ts'

export interface Visit {
  readonly client: Client
  /** What the suite tells about the scenario; empty where it tells nothing. */
  readonly context: JsonObject
}

export interface VisitOptions {
  /** The newest revision to know, as the suite names it; all are known where it names none. */
  readonly revision: string | undefined
  readonly context: JsonObject
  /** Whether arguments are checked before they are sent. */
  readonly checked: boolean
}

export async function openVisit(url: string, options: VisitOptions): Promise<Visit> {
  const { revision, context, checked } = options
  const client = await connect(http(url), {
    name: 'conformance-client',
    version: '1.0.0',
    answers,
    extensions: [SKILLS_EXTENSION],
    checkArguments: checked,
    ...(revision === undefined ? {} : { revisions: upTo(revision) }),
  })
  return { client, context }
}

/** The object in the environment; nothing is as good as an empty one. */
export function readContext(text: string | undefined): JsonObject {
  const value: unknown = text === undefined ? {} : JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('MCP_CONFORMANCE_CONTEXT is no JSON object.')
  return value as JsonObject // it was parsed from JSON
}

/** A peer of a certain time knows all revisions up to then. */
function upTo(revision: string): readonly Revision[] {
  const at = REVISIONS.findIndex((known) => known === revision)
  if (at < 0)
    throw new Error(`There is no revision ${revision}; known are ${REVISIONS.join(', ')}.`)
  return REVISIONS.slice(0, at + 1)
}

/** A person who agrees to everything and leaves what has a default as it is. */
const answers: Answers = {
  roots: [{ uri: 'file:///work', name: 'work' }],
  sampling: () =>
    Promise.resolve({
      role: 'assistant',
      content: { type: 'text', text: 'Certainly.' },
      model: 'conformance-model',
      stopReason: 'endTurn',
    }),
  elicitation: ({ requestedSchema }) => {
    const agreed = Object.entries(requestedSchema.properties)
      .filter(([, field]) => field.type === 'boolean' && field.default === undefined)
      .map(([name]) => [name, true] as const)
    const content = applyDefaults(requestedSchema, Object.fromEntries(agreed))
    return Promise.resolve({ action: 'accept', content })
  },
}
