/**
 * The official schemas as a judge of what crosses a wire. They are read where they lie and never copied; where they are
 * missing one line says so and everything passes.
 *
 * The schema files are narrower than the protocol about numbers and null (ELIC-29), and up to 2025-06-18 a request is
 * described in two halves; both is mended here, at reading.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import { readMessage, type Reading } from '../../src/jsonrpc/message.ts'
import type { Direction, WireEvent, WireSink } from '../../src/jsonrpc/wire.ts'
import { metaOf, PROTOCOL_VERSION_KEY } from '../../src/protocol/meta.ts'
import { ASKING_METHODS } from '../../src/protocol/methods.ts'
import { isRevision, REVISIONS, type Revision } from '../../src/protocol/revision.ts'

/** Judges the messages of one connection in one revision. Remembers requests, so that it knows what an answer answers. */
export interface SchemaOracle {
  readonly revision: Revision
  /** What is wrong with a text that crossed; the direction only has to be told apart from the other one. */
  checkMessage(text: string, direction: Direction): string[]
  /** What is wrong with the bare result of a method. */
  checkResult(method: string, result: unknown): string[]
  /** What is wrong with a value that should be of a definition, e.g. `Tool`. */
  checkDefinition(name: string, value: unknown): string[]
}

/** Collects what is wrong on all connections that feed the sink. */
export interface OracleSink {
  readonly sink: WireSink
  /** Grows as messages cross. */
  readonly violations: readonly string[]
  /** Messages that were judged. */
  readonly judged: number
}

// From the root, where tests and scripts start: a script runs as a bundle elsewhere.
const FOLDER = `${resolve('..', 'shared', 'spec')}${sep}`

/** Whether the schemas are there. Says so once when they are not. */
export const schemasPresent: boolean = REVISIONS.every((revision) =>
  existsSync(schemaFile(revision)),
)
if (!schemasPresent)
  console.log(`No official schemas in ${FOLDER}: nothing is checked against them.`)

function schemaFile(revision: Revision): string {
  return `${FOLDER}${revision}/schema.json`
}

export function schemaOracle(revision: Revision): SchemaOracle {
  const asked = new Map<string, string>()
  if (!schemasPresent) {
    return { revision, checkMessage: () => [], checkResult: () => [], checkDefinition: () => [] }
  }
  const judge = judgeOf(revision)
  return {
    revision,
    checkMessage(text, direction) {
      const value: unknown = JSON.parse(text)
      const messages: unknown[] = Array.isArray(value) ? value : [value]
      return messages.flatMap((message) => checkOne(judge, { message, direction, asked }))
    },
    checkResult: (method, result) => checkResult(judge, method, result),
    checkDefinition: (name, value) => judge.check(name, value),
  }
}

interface Judge {
  readonly revision: Revision
  /** Method to the definitions of its message. */
  readonly messages: ReadonlyMap<string, string>
  has(definition: string): boolean
  check(definition: string, value: unknown): string[]
}

const judges = new Map<Revision, Judge>()

function judgeOf(revision: Revision): Judge {
  const known = judges.get(revision)
  if (known !== undefined) return known
  const schema: JsonObject = JSON.parse(readFileSync(schemaFile(revision), 'utf8'))
  const key = isJsonObject(schema['$defs']) ? '$defs' : 'definitions'
  const definitions = schema[key]
  if (!isJsonObject(definitions)) throw new Error(`${schemaFile(revision)} has no definitions`)
  widen(definitions)
  const options = { strict: false, allErrors: true, validateFormats: true }
  const ajv = key === '$defs' ? new Ajv2020(options) : new Ajv(options)
  formats.default(ajv)
  ajv.addSchema(schema, 'mcp')
  const judge: Judge = {
    revision,
    messages: messageDefinitions(definitions),
    has: (name) => Object.hasOwn(definitions, name),
    check(name, value) {
      const validate: ValidateFunction | undefined = ajv.getSchema(`mcp#/${key}/${name}`)
      if (validate === undefined) return [`${revision} has no definition ${name}`]
      if (validate(value)) return []
      const errors = (validate.errors ?? []).slice(0, 5)
      return errors.map(
        (error) => `${revision} ${name}${error.instancePath}: ${error.message ?? error.keyword}`,
      )
    },
  }
  judges.set(revision, judge)
  return judge
}

/** Types of "any JSON value" and of form answers, as the TypeScript source of the schema has them. // ELIC-29 */
function widen(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(widen)
  if (!isJsonObject(schema)) return
  const { type } = schema
  if (
    Array.isArray(type) &&
    type.length === 3 &&
    type.includes('integer') &&
    type.includes('boolean')
  ) {
    schema['type'] = [...type, 'number', 'null']
  }
  Object.values(schema).forEach(widen)
}

/** Every method that may be the method of a message, found through the unions of what each side sends. */
function messageDefinitions(definitions: JsonObject): ReadonlyMap<string, string> {
  const unions = ['ClientRequest', 'ServerRequest', 'ClientNotification', 'ServerNotification']
  const found = new Map<string, string>()
  for (const union of unions) {
    const definition = definitions[union]
    if (!isJsonObject(definition)) continue
    const members = Array.isArray(definition['anyOf']) ? definition['anyOf'] : []
    const names = members
      .filter(isJsonObject)
      .map((member) => textOf(member['$ref']).split('/').at(-1) ?? '')
    for (const name of names.length === 0 ? [union] : names)
      found.set(methodOf(definitions[name]), name)
  }
  return found
}

function methodOf(definition: unknown): string {
  const properties = isJsonObject(definition) ? definition['properties'] : undefined
  const method = isJsonObject(properties) ? properties['method'] : undefined
  return isJsonObject(method) ? textOf(method['const']) : ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

interface Crossing {
  readonly message: unknown
  readonly direction: Direction
  /** Requests that have no answer yet, by direction and id. */
  readonly asked: Map<string, string>
}

function checkOne(judge: Judge, { message, direction, asked }: Crossing): string[] {
  const reading = readMessage(structuredClone(message))
  if (reading.kind === 'malformed') {
    return [`${judge.revision}: ${reading.reason} (${reading.requirement})`]
  }
  if (reading.kind === 'error') return checkError(judge, reading.message)
  if (reading.kind === 'notification')
    return checkCalled(judge, 'JSONRPCNotification', reading.message)
  if (reading.kind === 'request') {
    asked.set(keyOf(direction, reading.message.id), reading.message.method)
    return checkCalled(judge, 'JSONRPCRequest', reading.message)
  }
  const { id, result } = reading.message
  const base = judge.has('JSONRPCResultResponse') ? 'JSONRPCResultResponse' : 'JSONRPCResponse'
  const wrong = judge.check(base, reading.message)
  const method = asked.get(keyOf(opposite(direction), id))
  if (method !== undefined) return [...wrong, ...checkResult(judge, method, result)]
  return [
    ...wrong,
    `${judge.revision}: an answer to ${JSON.stringify(id)}, which nobody asked (RPC-06)`,
  ]
}

function keyOf(direction: Direction, id: unknown): string {
  return `${direction} ${JSON.stringify(id)}`
}

function opposite(direction: Direction): Direction {
  return direction === 'in' ? 'out' : 'in'
}

/** Methods of extensions that share their names with methods of another revision's core. // TASKX-20 */
const EXTENSION_METHODS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['2026-07-28', new Set(['tasks/get', 'tasks/cancel'])],
])

/** Whether a request is one of an extension that its sender declares. */
function isExtensions(judge: Judge, message: { readonly method: string }): boolean {
  if (EXTENSION_METHODS.get(judge.revision)?.has(message.method) !== true) return false
  return JSON.stringify(message).includes('"io.modelcontextprotocol/tasks"')
}

/** A request or notification: its envelope, and the whole where the core knows the method. */
function checkCalled(judge: Judge, base: string, message: { readonly method: string }): string[] {
  const { method } = message
  const definition = judge.messages.get(method)
  if (definition !== undefined)
    return [...judge.check(base, message), ...judge.check(definition, message)]
  if (isExtensions(judge, message)) return judge.check(base, message)
  const elsewhere = REVISIONS.filter((revision) => judgeOf(revision).messages.has(method))
  if (elsewhere.length === 0) return judge.check(base, message) // an extension's
  return [`${judge.revision} has no method ${method}; it belongs to ${elsewhere.join(', ')}`]
}

const ERROR_DEFINITIONS: ReadonlyMap<number, string> = new Map([
  [-32020, 'HeaderMismatchError'],
  [-32021, 'MissingRequiredClientCapabilityError'],
  [-32022, 'UnsupportedProtocolVersionError'],
  [-32042, 'URLElicitationRequiredError'],
])

function checkError(
  judge: Judge,
  message: { readonly error: { readonly code: number }; readonly id?: unknown },
): string[] {
  const name = judge.has('JSONRPCErrorResponse') ? 'JSONRPCErrorResponse' : 'JSONRPCError'
  // JSON-RPC writes null for an id that could not be read; the old schemas have no place for it. // RPC-08
  const unread = name === 'JSONRPCError' && (message.id === null || message.id === undefined)
  const special = ERROR_DEFINITIONS.get(message.error.code) ?? ''
  return [
    ...judge.check(name, unread ? { ...message, id: 0 } : message),
    ...(judge.has(special) ? judge.check(special, message) : []),
  ]
}

/** Which definition a result has follows from its request, and in the modern era from `resultType` alone. // RPC-18 */
function checkResult(judge: Judge, method: string, result: unknown): string[] {
  const request = judge.messages.get(method)
  if (request === undefined) return judge.check('Result', result)
  const own = request.replace(/Request$/, 'Result')
  const definition = judge.has(own) ? own : 'Result'
  const members = isJsonObject(result) ? result : {}
  if (judge.has('InputRequiredResult')) {
    const { resultType } = members
    if (resultType === 'input_required') return checkQuestions(judge, method, members)
    if (resultType !== 'complete') return judge.check('Result', result) // an extension's
  }
  if (judge.has('CreateTaskResult') && isJsonObject(members['task']))
    return judge.check('CreateTaskResult', result)
  return judge.check(definition, result)
}

function checkQuestions(judge: Judge, method: string, result: JsonObject): string[] {
  const empty = result['inputRequests'] === undefined && result['requestState'] === undefined
  return [
    ...judge.check('InputRequiredResult', result),
    ...(empty ? [`${judge.revision}: ${method} asks for nothing (MRTR-02)`] : []),
    ...(ASKING_METHODS.has(method) ? [] : [`${judge.revision}: ${method} must not ask (MRTR-01)`]),
  ]
}

/** What is known of one connection. */
interface Connection {
  /** Requests without an answer, and the oracle that judged them. */
  readonly open: Map<string, { readonly oracle: SchemaOracle; readonly method: string }>
  readonly oracles: Map<Revision, SchemaOracle>
  /** The revision of messages that do not name one. */
  current: Revision | undefined
}

/** A sink to put into any wire: it finds the revision in `initialize` and in envelopes, and judges every message. */
export function oracleSink(): OracleSink {
  const connections = new Map<string, Connection>()
  const violations: string[] = []
  let judged = 0
  const sink = (event: WireEvent): void => {
    if (event.type !== 'message') return
    const known = connections.get(event.connection)
    const connection = known ?? { open: new Map(), oracles: new Map(), current: undefined }
    connections.set(event.connection, connection)
    let value: unknown
    try {
      value = JSON.parse(event.text)
    } catch {
      return // stray text is no message
    }
    for (const message of Array.isArray(value) ? value : [value]) {
      judged += 1
      const text = JSON.stringify(message)
      const wrong = judgeOn(connection, {
        text,
        reading: readMessage(message),
        direction: event.direction,
      })
      violations.push(...wrong.map((what) => `${what}: ${text.slice(0, 300)}`))
    }
  }
  return {
    sink,
    violations,
    get judged() {
      return judged
    },
  }
}

interface Judged {
  readonly text: string
  readonly reading: Reading
  readonly direction: Direction
}

function judgeOn(connection: Connection, { text, reading, direction }: Judged): string[] {
  const oracle = oracleFor(connection, reading, direction)
  if (oracle === undefined) return [] // nothing is agreed yet
  if (reading.kind === 'request') {
    connection.open.set(keyOf(direction, reading.message.id), {
      oracle,
      method: reading.message.method,
    })
  }
  const wrong = oracle.checkMessage(text, direction)
  if (reading.kind === 'result') {
    const asked = connection.open.get(keyOf(opposite(direction), reading.message.id))
    const agreed = reading.message.result['protocolVersion']
    if (asked?.method === 'initialize' && isRevision(agreed)) connection.current = agreed
  }
  return wrong
}

function oracleFor(
  connection: Connection,
  reading: Reading,
  direction: Direction,
): SchemaOracle | undefined {
  if (reading.kind === 'result' || reading.kind === 'error') {
    const { id } = reading.message
    const asked = connection.open.get(keyOf(opposite(direction), id))
    if (asked !== undefined) return asked.oracle
  }
  if (reading.kind === 'request') {
    const { method, params } = reading.message
    const named =
      method === 'initialize' ? params?.['protocolVersion'] : metaOf(params)?.[PROTOCOL_VERSION_KEY]
    if (isRevision(named)) connection.current = method === 'initialize' ? connection.current : named
    if (isRevision(named)) return remembered(connection, named)
  }
  return connection.current === undefined ? undefined : remembered(connection, connection.current)
}

function remembered(connection: Connection, revision: Revision): SchemaOracle {
  const oracle = connection.oracles.get(revision) ?? schemaOracle(revision)
  connection.oracles.set(revision, oracle)
  return oracle
}
