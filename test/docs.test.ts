/**
 * The pages that people read, held to what they talk about: links lead somewhere, both languages have the same build,
 * quoted examples are the files, printed commands exist, and frames in the guide are those that cross today.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tour } from '../examples/wire-tour.ts'
import { manifestIn } from './support/npm.ts'
import { listFiles } from './support/sources.ts'

const own = manifestIn('.')
const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts, // ours
)
const pages = [
  ...readdirSync('.')
    .filter((path) => path.endsWith('.md'))
    .toSorted(),
  ...listFiles('docs').filter((path) => path.endsWith('.md')),
]
const TRANSLATED: readonly (readonly [string, string])[] = [
  ['README.md', 'README.zh-CN.md'],
  ['docs/errors.md', 'docs/zh/errors.md'],
  ['docs/capture-format.md', 'docs/zh/capture-format.md'],
  ['docs/configuration.md', 'docs/zh/configuration.md'],
  ['docs/models.md', 'docs/zh/models.md'],
  ['docs/policy.md', 'docs/zh/policy.md'],
  ['docs/rough-edges.md', 'docs/zh/rough-edges.md'],
  ...listFiles('docs/guide/en').map((path): readonly [string, string] => [
    path,
    path.replace('/en/', '/zh/'),
  ]),
]
const READMES = ['README.md', 'README.zh-CN.md']

interface Block {
  /** What the comment above the block says it shows. */
  readonly shows: string | undefined
  readonly language: string
  readonly text: string
}

describe.each(pages)('%s', (path) => {
  const text = readFileSync(path, 'utf8')

  it('has links that lead somewhere', () => {
    const broken = linksIn(text).filter((link) => !leadsSomewhere(path, link))
    expect(broken).toEqual([])
  })

  it('names only scripts that package.json has', () => {
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? '')
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
  })

  it('has shell commands that every shell takes as they stand', () => {
    expect(blocksIn(text).flatMap(commandsIn).filter(hasPattern)).toEqual([])
  })

  it('names only files that are there after `node scripts/run.mjs`', () => {
    const named = [...text.matchAll(/scripts\/run\.mjs (\w\S+\.ts)/g)].map(([, file]) => file ?? '')
    expect(named.filter((file) => !existsSync(file))).toEqual([])
  })

  it('quotes the files it says it quotes', () => {
    const quotes = blocksIn(text).flatMap(({ shows, text: quoted }) => {
      const file = /^file: (.+)$/.exec(shows ?? '')?.[1]
      return file === undefined ? [] : [{ file, quoted }]
    })
    const files = quotes.map(({ file }) => ({
      file,
      quoted: published(readFileSync(file, 'utf8')),
    }))
    expect(quotes).toEqual(files)
  })

  it('shows the frames that cross today', async () => {
    const wrong: string[] = []
    for (const { shows, text: quoted } of blocksIn(text)) {
      const [, era, scene = ''] = /^tour: (legacy|modern), (.+)$/.exec(shows ?? '') ?? []
      if (era !== 'legacy' && era !== 'modern') continue
      const crossed = (await tour(era)).get(scene) ?? []
      const shown = quoted.trimEnd().split('\n')
      if (shown.length !== crossed.length) wrong.push(`${era}, ${scene}: not as many lines`)
      wrong.push(...shown.filter((line, at) => !withGaps(line).test(crossed[at] ?? '')))
    }
    expect(wrong).toEqual([])
  })
})

describe.each(TRANSLATED)('%s and %s', (english, chinese) => {
  const [here, there] = [readFileSync(english, 'utf8'), readFileSync(chinese, 'utf8')]

  it('have the same headings, level by level', () => {
    expect(headingsIn(there)).toEqual(headingsIn(here))
  })

  it('quote the same files and frames, and as many rows of tables', () => {
    const quotes = (text: string): readonly unknown[] =>
      blocksIn(text)
        .filter(({ shows }) => shows !== undefined)
        .map(({ shows, text: quoted }) => [shows, quoted])
    expect(quotes(there)).toEqual(quotes(here))
    expect(there.match(/^\|/gm)?.length).toBe(here.match(/^\|/gm)?.length)
  })
})

describe.each(READMES)('%s', (path) => {
  const text = readFileSync(path, 'utf8')

  it('has at most 150 lines', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it('prints the two commands', () => {
    for (const command of ['npm ci && npm run demo', 'npm ci && npm test'])
      expect(text.split('\n')).toContain(command)
  })

  it('names the version, every door and every runtime package, and no other', () => {
    expect(text).toContain(own.version)
    const doors = Object.keys(own.exports ?? {}).filter((door) => !door.endsWith('.json'))
    const named = [...text.matchAll(/^\| `(deep-pilot[^`]*)` \|/gm)].map(([, door]) => door)
    expect(named).toEqual(doors.map((door) => join(own.name, door).replaceAll('\\', '/')))
    const packages = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name ?? '')
    expect(packages.slice(doors.length).toSorted()).toEqual(
      Object.keys(own.dependencies ?? {}).toSorted(),
    )
  })
})

describe('the help of the commands', () => {
  it('has examples that every shell takes as they stand', () => {
    const sources = listFiles('src/cli/commands').filter((path) => !path.endsWith('.test.ts'))
    const examples = sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^ +'(deep-pilot .+)',$/gm)].map(
        ([, line]) => line ?? '',
      ),
    )
    expect(examples.length).toBeGreaterThan(30)
    expect(examples.map((line) => line.replaceAll("\\'", "'")).filter(hasPattern)).toEqual([])
  })
})

function blocksIn(text: string): readonly Block[] {
  return [...text.matchAll(/(?:^<!-- (.+) -->\n)?^```(\w*)\n([^]*?)^```$/gm)].map(
    ([, shows, language = '', body = '']) => ({ shows, language, text: body }),
  )
}

/** The commands of a block for the shell; of a recorded terminal, what stands behind its prompt. */
function commandsIn({ language, text }: Block): readonly string[] {
  const lines = text.split('\n')
  if (language === 'sh') return lines
  return language === 'console' ? lines.filter((line) => line.startsWith('$ ')) : []
}

/** Whether a word outside of quotation marks is a pattern: zsh runs nothing where no file fits one. */
function hasPattern(command: string): boolean {
  const bare = command
    .replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '')
    .replace(/(?:^|\s)#.*$/, '')
    .replaceAll(/\$\([^)]*\)/g, '')
  return /[*?[(]/.test(bare)
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

function headingsIn(text: string): readonly number[] {
  return [...withoutBlocks(text).matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length)
}

function linksIn(text: string): readonly string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '')
}

/** Links to elsewhere are not followed; those within the project need their file and their heading. */
function leadsSomewhere(from: string, link: string): boolean {
  if (/^https?:/.test(link)) return true
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : join(dirname(from), decodeURI(path))
  if (!existsSync(target)) return false
  if (anchor === undefined) return true
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)]
  return headings.some(([, words = '']) => anchorOf(words) === decodeURI(anchor))
}

/** As the pages' renderer makes them: small letters, hyphens for spaces, no punctuation. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** A file of examples/ as its reader writes it: by the package's name, without the comment that opens the file. */
function published(source: string): string {
  return source
    .replace(/^\/\*\*[^]*?\*\/\n/, '')
    .replaceAll("'../src/index.ts'", "'deep-pilot'")
    .replaceAll("'../src/node/index.ts'", "'deep-pilot/node'")
    .replaceAll("'../src/host/index.ts'", "'deep-pilot/host'")
    .replaceAll("'../src/agent/index.ts'", "'deep-pilot/agent'")
}

/** The line as a pattern, in which `…` stands for anything. */
function withGaps(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
