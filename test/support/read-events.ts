/** The events of a stream as a test wants to see them: each block with whatever fields it has, comments apart. */

export interface ReadEvent {
  readonly event?: string
  readonly id?: string
  readonly retry?: number
  readonly data: string
}

/** Whole blocks only; a block without fields is a comment and is left out. */
export function readEvents(text: string): readonly ReadEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = block
        .split('\n')
        .filter((line) => !line.startsWith(':'))
        .map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)] as const
        })
      if (fields.length === 0) return []
      const one = (name: string): string | undefined =>
        fields.find(([field]) => field === name)?.[1]
      const [event, id, retry] = [one('event'), one('id'), one('retry')]
      const data = fields.filter(([field]) => field === 'data').map(([, value]) => value)
      return [
        {
          ...(event === undefined ? {} : { event }),
          ...(id === undefined ? {} : { id }),
          ...(retry === undefined ? {} : { retry: Number(retry) }),
          data: data.join('\n'),
        },
      ]
    })
}
