/** The resources of the suite, and its template. */
import {
  defineResource,
  defineTemplate,
  type ResourceDefinition,
  type TemplateDefinition,
} from '../../../src/index.ts'
import { PNG } from './media.ts'

export const resources: readonly ResourceDefinition[] = [
  defineResource({
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that never changes',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  }),
  defineResource({
    uri: 'test://static-binary',
    name: 'Static picture',
    description: 'Bytes that never change',
    mimeType: 'image/png',
    read: () => ({ blob: PNG }),
  }),
  defineResource({
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'A text that may be watched',
    mimeType: 'text/plain',
    read: () => 'Watched resource content',
  }),
]

export const templates: readonly TemplateDefinition[] = [
  defineTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'Template resource',
    description: 'One text for each id',
    mimeType: 'application/json',
    read: (_, { id }) =>
      JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
  }),
]
