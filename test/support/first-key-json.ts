/**
 * A parser of JSON-RPC messages that keeps the first of two members with one name where `JSON.parse` keeps the last: in a
 * message, also one of a batch, and in its params. It stands for whatever other parser reads the same text. Only for
 * texts that are JSON.
 */

/** What an object is: the first of two members counts in the upper two. */
type Place = 'message' | 'params' | 'deeper'

export function parseFirst(text: string): unknown {
  let at = 0
  const blanks = (): void => {
    while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1
  }
  const string = (): string => {
    const from = at
    for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    at += 1
    return JSON.parse(text.slice(from, at)) as string
  }
  const items = (close: string, item: () => void): void => {
    at += 1
    blanks()
    while (text[at] !== close) {
      if (text[at] === ',') at += 1
      blanks()
      item()
      blanks()
    }
    at += 1
  }
  const value = (place: Place, top: boolean): unknown => {
    blanks()
    if (text[at] === '"') return string()
    if (text[at] === '[') {
      const list: unknown[] = []
      items(']', () => list.push(value(top ? 'message' : 'deeper', false)))
      return list
    }
    if (text[at] === '{') {
      const members = new Map<string, unknown>()
      items('}', () => {
        const key = string()
        blanks()
        at += 1
        const member = value(place === 'message' && key === 'params' ? 'params' : 'deeper', false)
        if (place === 'deeper' || !members.has(key)) members.set(key, member)
      })
      return Object.fromEntries(members)
    }
    const from = at
    while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at += 1
    return JSON.parse(text.slice(from, at)) as unknown
  }
  return value('message', true)
}
