/**
 * What a reader cannot see or should not meet in the project's own text: invisible and bidirectional
 * characters, addresses of a package registry, settings that make an editor or an agent run things,
 * files too long to be one idea, and doors with code in them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listFiles, place, readSources } from './support/sources.ts'

const folders = ['.ci', '.github', 'bench', 'docs', 'examples', 'scripts', 'src', 'test']
const loose = readdirSync('.', { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isFile() &&
      /\.(json|jsonc|md|ts|mjs)$|^\.\w+(rc|ignore|attributes|config)(\.json)?$/.test(entry.name),
  )
  .map(({ name }) => name)
/** Captures, fixtures and corpora hold what strangers sent; everything else is ours. */
const ours = [...folders.flatMap(listFiles), ...loose].filter(
  (path) =>
    !/(^|\/)(captures|fixtures|corpus)\//.test(path) &&
    /\.(json|md|mjs|ts|yml)$|rc$|run$|ignore$|attributes$|config$/.test(path),
)
const texts = ours.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const sources = folders.flatMap(readSources)

/** Controls, formats, odd spaces, private and unassigned characters, and all that is drawn as nothing. */
const hidden = /(?![ \t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u
/** Joiners and selectors inside an emoji are part of what is seen. */
const inEmoji =
  /(?<=\p{Emoji})\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Emoji})/gu

it('has no character that cannot be seen or that turns the text around', () => {
  const found = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const match = hidden.exec(line.replaceAll(inEmoji, ''))
      const code = match?.[0].codePointAt(0)?.toString(16)
      return code === undefined
        ? []
        : [`${path}:${index + 1}: U+${code.toUpperCase().padStart(4, '0')}`]
    }),
  )
  expect(texts.length).toBeGreaterThan(20)
  expect(found).toEqual([])
})

it('names no host of a package registry', () => {
  const host =
    /\b(registry|npm|packages?)\.[a-z0-9-]+\.(org|com|dev|io|net)\b|\b(npmjs|yarnpkg|npmmirror)\./i
  const lines = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (host.test(line) ? [`${path}:${index + 1}`] : [])),
  )
  expect(lines.filter((line) => !line.startsWith('test/source.test.ts:'))).toEqual([])
})

it('has no settings that make an editor or an agent run something', () => {
  const hooks = readdirSync('.').filter((name) =>
    /^\.(vscode|idea|claude|cursor|gemini|windsurf|mcp\.json|envrc)$/.test(name),
  )
  expect(hooks).toEqual([])
})

it('keeps every source file within 400 lines of code', () => {
  const long = sources
    .filter(({ path }) => !path.endsWith('.gen.ts'))
    .map(({ path, text }) => ({
      path,
      lines: text.split('\n').filter((line) => !/^\s*(\/\/.*|\/?\*.*)?$/.test(line)).length,
    }))
    .filter(({ lines }) => lines > 400)
  expect(long).toEqual([])
})

it('opens every file that is not a unit test with a module comment', () => {
  const silent = sources.filter(
    ({ path, text }) =>
      !/^src\/.*\.test\.ts$|\.gen\.ts$/.test(path) && !/^(#!.*\n)?\/(\*\*|\/)/.test(text),
  )
  expect(silent.map(({ path }) => path)).toEqual([])
})

it('has doors of explicit exports, without code and without export *', () => {
  const doors = sources.filter(({ path }) => /^src\/(\w+\/)?index\.ts$/.test(path))
  const loud = doors.flatMap((door) =>
    [door.tree['body']].flat().flatMap((statement) => {
      const { type, source, start } = Object(statement)
      return type === 'ExportNamedDeclaration' && source !== null
        ? []
        : [place(door, { type, start })]
    }),
  )
  expect(loud).toEqual([])
})
