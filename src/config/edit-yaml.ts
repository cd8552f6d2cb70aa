/** Changes one member in a YAML file. Comments and order stay; quotes, blanks and line breaks may be written anew. */

import type { JsonValue } from '../base/json.ts'

/** Sets a member; the maps on its way are made where they are missing. */
export async function setYamlMember(
  text: string,
  path: readonly string[],
  value: JsonValue,
): Promise<string> {
  const yaml = await import('yaml')
  const document = yaml.parseDocument(text)
  document.setIn(path, document.createNode(value))
  return document.toString({ lineWidth: 0 })
}

/** Takes a member away. */
export async function removeYamlMember(text: string, path: readonly string[]): Promise<string> {
  const yaml = await import('yaml')
  const document = yaml.parseDocument(text)
  document.deleteIn(path)
  return document.toString({ lineWidth: 0 })
}
