/** What the client under test does in each scenario. It knows the suite's names and nothing of its checks. */
import {
  listSkills,
  readSkill,
  readSkillFile,
  type JsonObject,
  type Tool,
} from '../../../src/index.ts'
import type { Visit } from './visit.ts'

export interface Scenario {
  /** It sends what a careful host would not. */
  readonly unchecked?: boolean
  run(visit: Visit): Promise<void>
}

/** Undefined for a scenario that nobody has thought of: it must not pass by doing nothing. */
export function scenarioFor(name: string): Scenario | undefined {
  return SCENARIOS.get(name) ?? (name.startsWith('auth/') ? { run: useTool } : undefined)
}

const SCENARIOS: ReadonlyMap<string, Scenario> = new Map([
  ['initialize', { run: listTools }],
  ['request-metadata', { run: listTools }],
  ['json-schema-ref-no-deref', { run: listTools }],
  ['tools_call', { run: addNumbers }],
  ['elicitation-sep1034-client-defaults', { run: callOne('test_client_elicitation_defaults') }],
  ['sse-retry', { run: callOne('test_reconnection') }],
  ['sep-2322-client-request-state', { run: answerRounds }],
  ['http-standard-headers', { run: useEverything }],
  ['http-custom-headers', { unchecked: true, run: callAsTold }],
  ['http-invalid-tool-headers', { run: callAllTools }],
  ['json-schema-2020-12-preservation', { run: echoSchema }],
  ['sep-2640-client-no-prefetch', { run: listTheSkills }],
  ['sep-2640-client-verify-digest', { run: loadFirstSkill }],
  ['sep-2640-client-verify-size', { run: loadFirstSkill }],
  ['sep-2640-client-verify-frontmatter', { run: loadFirstSkill }],
])

/** What a server did not declare is not asked for: to have connected is enough then. */
async function listTools({ client }: Visit): Promise<void> {
  if (client.server.capabilities.tools !== undefined) await client.listTools()
}

async function addNumbers({ client }: Visit): Promise<void> {
  await client.listTools()
  await client.callTool('add_numbers', { a: 5, b: 3 })
}

function callOne(name: string): (visit: Visit) => Promise<void> {
  return async ({ client }) => {
    await client.listTools()
    await client.callTool(name)
  }
}

/** For servers that want to know who asks. */
async function useTool({ client }: Visit): Promise<void> {
  await client.listTools()
  await client.callTool('test-tool')
}

/** Calls that overlap: what belongs to one must not get into another. */
async function answerRounds({ client }: Visit): Promise<void> {
  await client.listTools()
  await Promise.all([
    client.callTool('test_mrtr_echo_state'),
    client.callTool('test_mrtr_unrelated'),
  ])
  await client.callTool('test_mrtr_no_state')
  await client.callTool('test_mrtr_no_result_type')
}

async function useEverything({ client }: Visit): Promise<void> {
  const [tool] = await client.listTools()
  if (tool !== undefined) await client.callTool(tool.name, argumentsFor(tool))
  const [resource] = await client.listResources()
  if (resource !== undefined) await client.readResource(resource.uri)
  const [prompt] = await client.listPrompts()
  if (prompt !== undefined) await client.getPrompt(prompt.name)
}

async function callAsTold({ client, context }: Visit): Promise<void> {
  await client.listTools()
  const { toolCalls } = context
  if (!Array.isArray(toolCalls)) throw new Error('The suite names no tool calls.')
  for (const told of toolCalls) {
    const { name, arguments: args } = Object(told) as JsonObject // read, then checked
    // As given, what is null on purpose included.
    if (
      typeof name !== 'string' ||
      typeof args !== 'object' ||
      args === null ||
      Array.isArray(args)
    )
      throw new Error('The suite names a tool call that is none.')
    await client.callTool(name, args)
  }
}

async function callAllTools({ client }: Visit): Promise<void> {
  for (const tool of await client.listTools()) await client.callTool(tool.name, argumentsFor(tool))
}

async function echoSchema({ client }: Visit): Promise<void> {
  const tools = await client.listTools()
  const tool = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
  if (tool === undefined) throw new Error('The tool with the schema is not in the list.')
  await client.callTool('json_schema_echo', { schema: tool.inputSchema })
}

async function listTheSkills({ client }: Visit): Promise<void> {
  await listSkills(client)
}

/** Goes on to the other files only when the first one is what its entry says. */
async function loadFirstSkill({ client }: Visit): Promise<void> {
  const { skills } = await listSkills(client)
  const [entry] = skills
  if (entry === undefined) throw new Error('The server lists no skill.')
  await readSkill(client, entry)
  if (entry.resources === 'dynamic') return
  for (const { uri } of entry.resources.filter((file) => file.uri !== entry.uri))
    await readSkillFile(client, { entry, uri })
}

/** A value of its type for every property that is asked for, whether it must be there or not. */
function argumentsFor({ inputSchema }: Tool): JsonObject {
  const { properties } = inputSchema
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return {}
  const entries = Object.entries(properties).map(([name, schema]): [string, JsonObject[string]] => {
    const type = Object(schema)['type'] as unknown
    if (type === 'number' || type === 'integer') return [name, 1]
    return [name, type === 'boolean' ? true : 'us-west1']
  })
  return Object.fromEntries(entries)
}
