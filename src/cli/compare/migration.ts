/**
 * What has to be written so that a second program has the tool too, made of the very definition. The body is not counted: where it is
 * needed it is imported, which takes a program in the same language.
 */

import type { Tool } from '../../protocol/types/tools.ts'
import type { ByWay, Migration } from './measured.ts'

export function migrations(tool: Tool): ByWay<Migration> {
  const { name, description, inputSchema } = tool
  const definition = { name, description, parameters: inputSchema }
  return {
    functionCalling: {
      code: true,
      lines: [
        `import { ${name} } from './${name}.ts'`,
        'export const tools = [',
        ...indented({ type: 'function', function: definition }, ','),
        ']',
        'export function dispatch(call) {',
        '  switch (call.function.name) {',
        `    case '${name}':`,
        `      return ${name}(JSON.parse(call.function.arguments))`,
        '  }',
        '}',
      ],
    },
    mcp: {
      code: false,
      lines: JSON.stringify(
        { [name]: { command: 'deep-pilot', args: ['serve', name] } },
        undefined,
        2,
      )
        .split('\n')
        .slice(1, -1),
    },
    framework: {
      code: true,
      lines: [
        "import { tool } from '@langchain/core/tools'",
        `import { ${name} as run } from './${name}.ts'`,
        `export const ${name} = tool(run,`,
        ...indented({ name, description, schema: inputSchema }, ''),
        ')',
      ],
    },
  }
}

function indented(value: object, end: string): readonly string[] {
  return `${JSON.stringify(value, undefined, 2)}${end}`.split('\n').map((line) => `  ${line}`)
}
