/**
 * A file of variables, `NAME=value` a line, as `envFile` names one. Nothing is filled in and no line goes on: a value is what
 * stands there, without the quotes around it.
 */

/** Variables in the order of the file; lines without a name are skipped. */
export function parseEnvFile(text: string): readonly (readonly [string, string])[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line) => {
      const [, name, raw = ''] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/s.exec(line) ?? []
      return name === undefined ? [] : [[name, valueOf(raw.trim())] as const]
    })
}

function valueOf(raw: string): string {
  const quote = raw[0]
  if (quote === '"' || quote === "'" || quote === '`') {
    const end = raw.indexOf(quote, 1)
    if (end > 0) {
      const inside = raw.slice(1, end)
      return quote === '"' ? inside.replaceAll('\\n', '\n') : inside
    }
  }
  const comment = raw.search(/\s#/)
  return comment < 0 ? raw : raw.slice(0, comment).trimEnd()
}
