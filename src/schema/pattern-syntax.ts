/**
 * Reads an ECMA-262 pattern once and says how much the native engine may have to backtrack in it, and how it is
 * written for RE2.
 *
 * It is run on patterns that `RegExp` has accepted already, so that it decides about cost and meaning, never about syntax.
 */

/** What a pattern may cost natively, and its RE2 form. */
export interface PatternFacts {
  /** Places where the native engine can go back and try again: varying quantifiers, alternations inside groups. */
  readonly choices: number
  /** A group that holds a choice is repeated: exponential natively. */
  readonly repeatsChoice: boolean
  /** Least number of single matches along the pattern, repetitions multiplied out. */
  readonly length: number
  /** It can match at the start of the text only. */
  readonly anchored: boolean
  /** The same pattern for RE2, or why RE2 has none. */
  readonly re2: { readonly text: string } | { readonly missing: string }
}

const SPACES =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }
/** Unicode properties that both engines read alike, by the name RE2 has for them. */
const PROPERTIES: ReadonlyMap<string, string> = new Map(
  (
    'Letter=L Lowercase_Letter=Ll Uppercase_Letter=Lu Titlecase_Letter=Lt Modifier_Letter=Lm Other_Letter=Lo ' +
    'Mark=M Number=N Decimal_Number=Nd digit=Nd Punctuation=P punct=P Symbol=S Separator=Z Space_Separator=Zs'
  )
    .split(' ')
    .map((pair): [string, string] => [
      pair.slice(0, pair.indexOf('=')),
      pair.slice(pair.indexOf('=') + 1),
    ]),
)

interface Group {
  choices: number
  alternations: number
  length: number
  lookaround: boolean
}

/** One thing that a quantifier can follow. */
interface Atom {
  readonly choices: number
  readonly length: number
}

/** Reads a pattern. `unicode` is whether it is one in `u` mode. */
export function readPattern(pattern: string, unicode: boolean): PatternFacts {
  return new PatternReader(pattern, unicode).read()
}

class PatternReader {
  readonly #source: string
  readonly #unicode: boolean
  #at = 0
  #re2 = ''
  #missing: string | undefined
  #repeatsChoice = false
  readonly #open: Group[] = [newGroup()]

  constructor(source: string, unicode: boolean) {
    this.#source = source
    this.#unicode = unicode
  }

  read(): PatternFacts {
    while (this.#at < this.#source.length) {
      const atom = this.#token()
      if (atom !== undefined) this.#quantified(atom)
    }
    const whole = this.#open[0] ?? newGroup()
    return {
      choices: whole.choices,
      repeatsChoice: this.#repeatsChoice,
      length: whole.length,
      anchored: this.#source.startsWith('^') && whole.alternations === 0,
      re2: this.#missing === undefined ? { text: this.#re2 } : { missing: this.#missing },
    }
  }

  /** Reads what stands next; answers with an atom unless it was something that no quantifier follows. */
  #token(): Atom | undefined {
    const char = this.#next()
    switch (char) {
      case '\\':
        return this.#escape()
      case '[':
        return this.#class()
      case '(':
        this.#openGroup()
        return undefined
      case ')':
        return this.#closeGroup()
      case '|':
        this.#top().alternations += 1
        this.#re2 += '|'
        return undefined
      case '^':
        this.#re2 += '\\A'
        return undefined
      case '$':
        this.#re2 += '\\z'
        return undefined
      case '.':
        this.#re2 += '[^\\x{a}\\x{d}\\x{2028}\\x{2029}]'
        return ONE
      default:
        this.#re2 += literal(char)
        return ONE
    }
  }

  #openGroup(): void {
    const kind = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(this.#source.slice(this.#at))?.[0] ?? ''
    this.#at += kind.length
    const lookaround = /[=!]$/.test(kind)
    if (lookaround) this.#missing ??= 'look-around'
    this.#re2 += '(?:'
    this.#open.push({ ...newGroup(), lookaround })
  }

  #closeGroup(): Atom | undefined {
    const group = this.#open.pop() ?? newGroup()
    this.#re2 += ')'
    const atom = {
      choices: group.choices + (group.alternations > 0 ? 1 : 0),
      length: group.length + group.alternations,
    }
    if (!group.lookaround) return atom
    this.#add(atom)
    return undefined
  }

  #quantified(atom: Atom): void {
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(
      this.#source.slice(this.#at, this.#at + 30),
    )?.[0]
    if (quantifier === undefined) return this.#add(atom)
    this.#at += quantifier.length
    if (this.#source[this.#at] === '?') this.#at += 1 // Lazy or greedy: the same texts match.
    const { least, most } = boundsOf(quantifier)
    this.#re2 += quantifier
    if (atom.choices > 0 && most > 1) this.#repeatsChoice = true
    this.#add({
      choices: atom.choices + (least === most ? 0 : 1),
      length: Math.max(atom.length, 1) * Math.max(least, 1),
    })
  }

  #add(atom: Atom): void {
    const group = this.#top()
    group.choices += atom.choices
    group.length += atom.length
  }

  #escape(): Atom | undefined {
    const char = this.#next()
    if (char === 'b' || char === 'B') {
      this.#re2 += `\\${char}`
      return undefined
    }
    if (/[1-9k]/.test(char)) return this.#backReference(char)
    const set = this.#setEscape(char)
    this.#re2 +=
      set === undefined
        ? literalOf(this.#characterEscape(char))
        : set.inside
          ? `[${set.text}]`
          : set.text
    return ONE
  }

  #backReference(char: string): Atom {
    this.#missing ??= 'back-references'
    const rest = char === 'k' ? /^<[^>]*>/ : /^\d*/
    this.#at += rest.exec(this.#source.slice(this.#at))?.[0].length ?? 0
    return ONE
  }

  /** An escape that stands for many characters, as RE2 writes it; `inside` is a list that needs brackets of its own. */
  #setEscape(char: string): { readonly text: string; readonly inside: boolean } | undefined {
    if (/[dDwW]/.test(char)) return { text: `\\${char}`, inside: false }
    if (char === 's') return { text: SPACES, inside: true }
    if (char === 'S') return { text: NOT_SPACES, inside: true }
    if (!this.#unicode || !/[pP]/.test(char)) return undefined
    const name = /^\{([^}]*)\}/.exec(this.#source.slice(this.#at))
    this.#at += name?.[0].length ?? 0
    const short = propertyOf(name?.[1] ?? '')
    if (short === undefined) this.#missing ??= `the property \\p{${name?.[1] ?? ''}}`
    return { text: `\\${char}{${short ?? 'L'}}`, inside: false }
  }

  /** The code point of an escape that stands for one character. */
  #characterEscape(char: string): number {
    const control = CONTROL[char]
    if (char === '0' && /\d/.test(this.#source[this.#at] ?? '')) this.#missing ??= 'octal escapes'
    if (control !== undefined) return control
    if (char === 'c' && /[A-Za-z]/.test(this.#source[this.#at] ?? ''))
      return this.#next().charCodeAt(0) % 32
    if (char === 'x') return this.#hexadecimal(/^[0-9A-Fa-f]{2}/) ?? codeOf(char)
    if (char !== 'u') return codeOf(char)
    const braces = this.#unicode ? this.#hexadecimal(/^\{([0-9A-Fa-f]+)\}/) : undefined
    const unit = braces ?? this.#hexadecimal(/^[0-9A-Fa-f]{4}/) ?? codeOf(char)
    if (unit < 0xd800 || unit > 0xdfff) return unit
    const low = unit < 0xdc00 ? this.#hexadecimal(/^\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/) : undefined
    if (low === undefined) this.#missing ??= 'half a surrogate pair'
    return low === undefined ? 0 : (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000
  }

  #hexadecimal(form: RegExp): number | undefined {
    const found = form.exec(this.#source.slice(this.#at, this.#at + 40))
    if (found === null) return undefined
    this.#at += found[0].length
    return Number.parseInt(found[1] ?? found[0], 16)
  }

  #class(): Atom {
    const negated = this.#source[this.#at] === '^'
    if (negated) this.#at += 1
    let members = ''
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']')
      members += this.#classMember()
    this.#at += 1
    if (members === '') this.#re2 += negated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]'
    else this.#re2 += negated ? `[^${members}]` : `[${members}]`
    return ONE
  }

  #classMember(): string {
    const low = this.#classAtom()
    const isRange = this.#source[this.#at] === '-' && (this.#source[this.#at + 1] ?? ']') !== ']'
    if (!isRange) return typeof low === 'string' ? low : literalOf(low)
    this.#at += 1
    const high = this.#classAtom()
    if (typeof low === 'number' && typeof high === 'number')
      return `${literalOf(low)}-${literalOf(high)}`
    // Only outside of `u` mode: one side is a set, and the dash is a dash.
    return [low, codeOf('-'), high]
      .map((part) => (typeof part === 'string' ? part : literalOf(part)))
      .join('')
  }

  /** One member of a class: a code point, or a set as RE2 writes it inside of brackets. */
  #classAtom(): number | string {
    const char = this.#next()
    if (char !== '\\') return codeOf(char)
    const escaped = this.#next()
    if (escaped === 'b') return 8
    if (/[1-9]/.test(escaped)) this.#missing ??= 'octal escapes'
    return this.#setEscape(escaped)?.text ?? this.#characterEscape(escaped)
  }

  #next(): string {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0)
    this.#at += char.length
    if (char.length === 2 && !this.#unicode) this.#missing ??= 'characters beyond the basic plane'
    return char
  }

  #top(): Group {
    return this.#open.at(-1) ?? newGroup()
  }
}

const ONE: Atom = { choices: 0, length: 1 }

function newGroup(): Group {
  return { choices: 0, alternations: 0, length: 0, lookaround: false }
}

function boundsOf(quantifier: string): { readonly least: number; readonly most: number } {
  if (quantifier === '*') return { least: 0, most: Number.POSITIVE_INFINITY }
  if (quantifier === '+') return { least: 1, most: Number.POSITIVE_INFINITY }
  if (quantifier === '?') return { least: 0, most: 1 }
  const [least = '0', most = least] = quantifier.slice(1, -1).split(',')
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
}

function propertyOf(name: string): string | undefined {
  const category = name.replace(/^(?:General_Category|gc)=/, '')
  if (/^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)$/.test(category)) return category
  return PROPERTIES.get(category) ?? /^(?:Script|sc)=([A-Z][a-z]+)$/.exec(name)?.[1]
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}

function literal(char: string): string {
  return /^[A-Za-z0-9]$/.test(char) ? char : literalOf(codeOf(char))
}

function literalOf(code: number): string {
  return `\\x{${code.toString(16)}}`
}
