/**
 * What a text looks like: two texts with the same skeleton can be taken for each other. For warnings only; identity is
 * always compared exactly, and a text without a twin may still mislead.
 */

import { replaceHidden } from '../base/terminal-text.ts'

/** Longer texts are their own skeleton: nobody compares them by sight. */
const MAX_LOOKED_AT = 256

/** Letters of other scripts, and digits, that are drawn like a Latin letter; looked up after case is folded. */
const TWINS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ЬьЪᏏ',
    c: 'сϲᴄ',
    d: 'ԁɗ',
    e: 'еҽ℮',
    g: 'ɡց',
    h: 'һհ',
    i: 'іıɩιΙ',
    j: 'јϳ',
    k: 'кκ',
    l: '1|ӏⅼ∣ǀ',
    m: 'мⅿ',
    n: 'ոп',
    o: '0оοօσ',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսʋ',
    v: 'ѵνᴠ',
    w: 'ԝωшѡ',
    x: 'хχ×',
    y: 'уγү',
    z: 'ᴢ',
    _: '‐‑‒–—―−',
  }).flatMap(([latin, twins]) => Array.from(twins, (twin): [string, string] => [twin, latin])),
)

/** Case folded, accents kept, what is not drawn taken out, letters that look alike made one, `-`, `_`, `.`, `/` and blanks too. */
export function skeletonOf(text: string): string {
  if (text.length > MAX_LOOKED_AT) return text
  const folded = replaceHidden(text.normalize('NFKC'), () => '').toLowerCase()
  const alike = Array.from(folded, (letter) => TWINS.get(letter) ?? letter).join('')
  return alike.replaceAll(/[-_./\s]+/g, '_')
}
