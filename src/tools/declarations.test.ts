import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { HOSTILE_SCHEMAS, officialTools } from '../../test/support/tool-schemas.ts'
import { declareTools, type DeclaredTool } from './declarations.ts'

const compiler = resolve('node_modules/typescript/bin/tsc')
let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'deep-pilot-types-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the compiler says of files; nothing where all is well. */
function compiled(files: Readonly<Record<string, string>>): Promise<string> {
  const place = mkdtempSync(join(folder, 'files-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  const config = {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    },
    files: Object.keys(files),
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
  return new Promise((settle) => {
    execFile(process.execPath, [compiler, '-p', place], (_, stdout, stderr) =>
      settle(stdout + stderr),
    )
  })
}

const tool = (
  name: string,
  inputSchema: JsonValue,
  rest: Partial<DeclaredTool> = {},
): DeclaredTool => ({
  name,
  // What a server sends need not be an object.
  inputSchema: inputSchema as JsonObject,
  ...rest,
})

const textOf = (...tools: readonly DeclaredTool[]): string =>
  declareTools(tools, { server: 'test' }).text

describe('declarations that the compiler takes', () => {
  it('are those of the official servers', async () => {
    const files: Record<string, string> = {}
    for (const [server, tools] of await officialTools()) {
      const { text, remarks } = declareTools(tools, { server })
      expect(remarks).toEqual([])
      files[`${server}.d.ts`] = text
    }
    expect(Object.keys(files)).toHaveLength(2)
    expect(await compiled(files)).toBe('')
  }, 60_000)

  it('are those of hostile schemas, each by itself and all together', async () => {
    const files: Record<string, string> = {}
    const all: DeclaredTool[] = []
    for (const [name, schema] of HOSTILE_SCHEMAS) {
      // A result may be any of them as well.
      const hostile = tool(name, schema, { outputSchema: isJsonObject(schema) ? schema : {} })
      all.push(hostile)
      files[`one${all.length}.d.ts`] = textOf(hostile)
    }
    files['all.d.ts'] = textOf(...all)
    expect(all.length).toBeGreaterThan(40)
    expect(await compiled(files)).toBe('')
  }, 120_000)

  it('are those of tools with any name', async () => {
    const names = [
      '',
      ' ',
      'a-b',
      'a_b',
      'a b',
      'A-B',
      '1',
      '名称',
      '天气',
      '*/',
      '"',
      '\n',
      '`',
      '\\',
      '\u202e',
      '😀',
    ]
    names.push(
      'Tools',
      'ToolName',
      'any',
      'default',
      'constructor',
      '__proto__',
      'toString',
      'x'.repeat(3_000),
    )
    names.push(
      'a'.repeat(60) + '1',
      'a'.repeat(60) + '2',
      '\ud800',
      '\ud801',
      'string',
      'Array',
      'i',
    )
    const text = textOf(
      ...names.map((name) =>
        tool(name, {
          type: 'object',
          properties: { a: { $ref: '#/$defs/Arguments' } },
          $defs: { Arguments: { type: 'string' } },
        }),
      ),
    )
    expect(await compiled({ 'names.d.ts': text })).toBe('')
  }, 60_000)

  it('hold a user to what the schemas say', async () => {
    const text = textOf(
      tool(
        'find',
        {
          type: 'object',
          properties: {
            city: { type: 'string' },
            units: { enum: ['c', 'f'] },
            days: { type: ['integer', 'null'] },
            at: {
              type: 'array',
              prefixItems: [{ type: 'number' }, { type: 'number' }],
              minItems: 2,
              items: false,
            },
            tree: { $ref: '#/$defs/Tree' },
            by: {
              oneOf: [
                { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
                { type: 'string' },
              ],
            },
            tags: { type: 'object', additionalProperties: { type: 'boolean' } },
          },
          required: ['city'],
          $defs: {
            Tree: {
              type: 'object',
              properties: {
                value: { type: 'string' },
                below: { type: 'array', items: { $ref: '#/$defs/Tree' } },
              },
              required: ['value'],
            },
          },
        },
        {
          outputSchema: {
            type: 'object',
            properties: { celsius: { type: 'number' } },
            required: ['celsius'],
          },
        },
      ),
    )
    const user = [
      "import type { ToolName, Tools } from './tools.d.ts'",
      "type Find = Tools['find']['arguments']",
      "export const name: ToolName = 'find'",
      "export const fine: Find[] = [{ city: 'x' }, { city: 'x', units: 'c', days: null, at: [1, 2], by: { id: 1 }, tags: { a: true } }]",
      "export const tree: Find = { city: 'x', tree: { value: 'a', below: [{ value: 'b', below: [] }] } }",
      "export const celsius = (found: Tools['find']['structuredContent']): number => found.celsius",
      ...[
        '{}',
        '{ city: 1 }',
        "{ city: 'x', units: 'k' }",
        "{ city: 'x', days: 'two' }",
        "{ city: 'x', at: [1] }",
        "{ city: 'x', at: [1, 2, 3] }",
        "{ city: 'x', tree: { below: [] } }",
        "{ city: 'x', by: { name: 'y' } }",
        "{ city: 'x', tags: { a: 1 } }",
        "{ city: 'x', town: 'y' }",
      ].flatMap((wrong, at) => ['// @ts-expect-error', `export const wrong${at}: Find = ${wrong}`]),
    ].join('\n')
    expect(await compiled({ 'tools.d.ts': text, 'user.ts': user })).toBe('')
  }, 60_000)
})

describe('declarations', () => {
  it('show a plain tool as one would write it', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'The city.' },
        days: { type: 'integer', default: 3, maximum: 7 },
        'max-wind': { type: 'number' },
      },
      required: ['city'],
      additionalProperties: false,
    }
    const outputSchema = {
      type: 'object',
      properties: { celsius: { type: 'number' } },
      required: ['celsius'],
    }
    expect(
      textOf(tool('get_weather', schema, { description: 'The weather\nof a city.', outputSchema })),
    ).toBe(`// Types of the tools of "test". Written by deep-pilot types.

/** Arguments of get_weather. */
export type GetWeatherArguments = {
  /** The city. */
  city: string;
  /** [a whole number; default 3; at most 7] */
  days?: number;
  "max-wind"?: number;
};

/** Structured result of get_weather. */
export type GetWeatherResult = {
  celsius: number;
};

/** What tools take and give, by their names. */
export interface Tools {
  /**
   * The weather
   * of a city.
   */
  get_weather: {
    arguments: GetWeatherArguments;
    structuredContent: GetWeatherResult;
  };
}

/** The name of a tool. */
export type ToolName = keyof Tools;
`)
  })

  it('keep text of a server inside its comment, and in sight', () => {
    const text = textOf(
      tool(
        '*/ x',
        { type: 'object' },
        { description: '*/ export const evil = 1 /*\n@ts-ignore\r\u202e\u001b[2J' },
      ),
    )
    const doc = text.slice(text.indexOf('export interface'))
    expect(doc).toContain(
      '   * *\\/ export const evil = 1 /*\n   * \\@ts-ignore\n   * \\u202e\\u001b[2J\n   */\n',
    )
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(text).toContain('/** Arguments of *\\/ x. */')
  })

  it('give recursion and definitions names of their own', () => {
    const text = textOf(
      tool('walk', {
        type: 'object',
        properties: { node: { $ref: '#/$defs/node' }, self: { $ref: '#' } },
        $defs: {
          node: {
            type: 'object',
            description: 'A node.',
            properties: { next: { $ref: '#/$defs/node' } },
          },
        },
      }),
    )
    expect(text).toContain('  node?: WalkArgumentsNode;\n  self?: WalkArguments;\n')
    expect(text).toContain(
      '/** A node. */\nexport type WalkArgumentsNode = {\n  next?: WalkArgumentsNode;\n};\n',
    )
  })

  it('leave out tools that have no name of their own, and tell of them', () => {
    const { text, remarks } = declareTools(
      [tool('a', {}), tool('a', {}), tool('\ud800', {}), tool('b', {})],
      { server: 'x' },
    )
    expect(remarks).toEqual([
      { tool: 'a', kind: 'same-name' },
      { tool: '\ud800', kind: 'bad-name' },
    ])
    expect(text.match(/^ {2}\w+: \{$/gm)).toEqual(['  a: {', '  b: {'])
  })

  it('are of a bounded size, and tell what is cut', () => {
    const schema = HOSTILE_SCHEMAS.get('10,000 members') ?? null
    const { text, remarks } = declareTools([tool('large', schema)], { server: 'x' })
    expect(remarks).toEqual([{ tool: 'large', kind: 'cut' }])
    // What is not told may still be there.
    expect(text).toMatch(/m4999\?: \w+;\n {2}\[name: string\]: unknown;/)
    expect(text.length).toBeLessThan(300_000)
  })

  it('have room for 5,000 tools and no more', () => {
    const tools = Array.from({ length: 5_001 }, (_, at) => tool(`t${at}`, { type: 'object' }))
    expect(declareTools(tools, { server: 'x' }).remarks).toEqual([
      { tool: 't5000', kind: 'no-room' },
    ])
  })
})
