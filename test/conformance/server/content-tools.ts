/** Tools of the suite that only answer: every kind of content, a failure, and schemas that must stay as they are. */
import { defineTool, reply, ToolError, type ToolDefinition } from '../../../src/index.ts'
import { PNG, WAV } from './media.ts'

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const

export const contentTools: readonly ToolDefinition[] = [
  // The first one: the suite calls whatever comes first with no arguments at all.
  defineTool({
    name: 'test_simple_text',
    description: 'Answers with one text',
    run: () => 'This is a simple text response for testing.',
  }),
  defineTool({
    name: 'test_image_content',
    description: 'Answers with a picture',
    run: () => reply({ content: [image] }),
  }),
  defineTool({
    name: 'test_audio_content',
    description: 'Answers with a sound',
    run: () => reply({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  }),
  defineTool({
    name: 'test_embedded_resource',
    description: 'Answers with a resource inside of the result',
    run: () =>
      reply({
        content: [
          {
            type: 'resource',
            resource: {
              uri: 'test://embedded-resource',
              mimeType: 'text/plain',
              text: 'This is an embedded resource content.',
            },
          },
        ],
      }),
  }),
  defineTool({
    name: 'test_multiple_content_types',
    description: 'Answers with a text, a picture and a resource',
    run: () =>
      reply({
        content: [
          { type: 'text', text: 'Multiple content types test:' },
          image,
          {
            type: 'resource',
            resource: {
              uri: 'test://mixed-content-resource',
              mimeType: 'application/json',
              text: JSON.stringify({ test: 'data', value: 123 }),
            },
          },
        ],
      }),
  }),
  defineTool({
    name: 'test_error_handling',
    description: 'Always fails',
    run: () => {
      throw new ToolError('This tool intentionally returns an error for testing')
    },
  }),
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with words that only JSON Schema 2020-12 knows',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: (args) => `JSON Schema 2020-12 tool called with: ${JSON.stringify(args)}`,
  }),
  defineTool<{ readonly region?: string; readonly limit?: number }>({
    name: 'test_header_mirroring',
    description: 'Wants arguments repeated in headers',
    input: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        limit: { type: 'integer', 'x-mcp-header': 'Limit' },
        note: { type: 'string' },
      },
    },
    run: ({ region = 'nowhere' }) => `Region: ${region}`,
  }),
]
