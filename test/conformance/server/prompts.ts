/** The prompts of the suite. */
import { definePrompt, type PromptDefinition } from '../../../src/index.ts'
import { PNG } from './media.ts'
import { roundPrompt } from './round-tools.ts'

const values = ['paris', 'park', 'party', 'berlin']

export const prompts: readonly PromptDefinition[] = [
  definePrompt({
    name: 'test_simple_prompt',
    description: 'A prompt without arguments',
    get: () => 'This is a simple prompt for testing.',
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [
      {
        name: 'arg1',
        description: 'First argument',
        required: true,
        complete: (typed) => values.filter((value) => value.startsWith(typed)),
      },
      { name: 'arg2', description: 'Second argument', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource inside',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource', required: true }],
    get: ({ resourceUri }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      { role: 'user', content: 'Please process the embedded resource above.' },
    ],
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'A prompt with a picture',
    get: () => [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      { role: 'user', content: 'Please analyze the image above.' },
    ],
  }),
  roundPrompt,
]
