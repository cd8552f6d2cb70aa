/** Resources, prompts, suggestions, changes and raw requests from a shell, in both eras, with a real server behind them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleFile } from '../support/bundle.ts'
import { cli, finished, program, said, startCli, type CliRun } from '../support/cli.ts'

// Each test starts two processes or more, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-features-'))
let library: readonly string[] = []
beforeAll(async () => {
  library = ['--', process.execPath, await bundleFile('test/support/library-server-main.ts')]
})
afterAll(() => {
  for (const path of [folder, library[2] ?? folder]) rmSync(path, { recursive: true, force: true })
})

const calculator = ['--', process.execPath, program, 'serve', 'calculator']
const zh = { env: { LANG: 'zh_CN.UTF-8' } }
const ask = (...words: readonly string[]): Promise<CliRun> => cli([...words, ...library])
const eras = ['legacy', 'modern'] as const

describe.each(eras)('in the era %s', (era) => {
  it('resources lists addresses, what they hold, types and sizes', async () => {
    const { stdout, stderr, code } = await ask('resources', '--era', era)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'book://dune     A desert. (text/plain, 1.5 KB)',
      'book://cover    cover (image/png)',
      'book://parts    parts',
    ])
    expect([stderr, code]).toEqual(['', 0])
  })

  it('resources --templates lists the templates', async () => {
    const { stdout } = await ask('resources', '--templates', '--era', era)
    expect(stdout).toBe('shelf://{language}/{book}  Books by language\n')
    const json = await ask('resources', '--templates', '--json', '--era', era)
    expect(JSON.parse(json.stdout)).toMatchObject([{ uriTemplate: 'shelf://{language}/{book}' }])
  })

  it('read prints a text as it is', async () => {
    const run = await ask('read', 'book://dune', '--era', era)
    expect(run).toEqual({
      stdout: 'A beginning is a very delicate time.\n— 沙丘\n',
      stderr: '',
      code: 0,
    })
  })

  it('prompts lists how they are asked for', async () => {
    const { stdout } = await ask('prompts', '--era', era)
    expect(stdout).toBe(
      'review text= [language=] [word=]  Reviews a text\nhello                             A greeting\n',
    )
  })

  it('prompt prints its messages under their roles', async () => {
    const { stdout, code } = await ask(
      'prompt',
      'review',
      'text=1=1',
      'language=perl',
      '--era',
      era,
    )
    expect(stdout).toBe('user:\nReview this perl text:\n1=1\n\nassistant:\nI will.\n')
    expect(code).toBe(0)
  })

  it('complete prints suggestions, one a line', async () => {
    const prompt = await ask('complete', '--prompt', 'review', 'language', 'p', '--era', era)
    expect(prompt.stdout).toBe('pascal\nperl\nphp\nprolog\npython\n')
    const template = ['complete', '--resource', 'shelf://{language}/{book}', 'book']
    const camel = await ask(...template, '--context', 'language=perl', '--era', era)
    expect(camel.stdout).toBe('camel\n')
    const none = await ask(...template, '--era', era)
    expect(none).toEqual({ stdout: '', stderr: 'The server has no suggestions.\n', code: 0 })
  })

  it('discover shows what the server says of itself', async () => {
    const { stdout, code } = await ask('discover', '--era', era)
    expect(stdout).toMatch(/^Server +library 1\.2\.3 \(A library\)$/m)
    expect(stdout).toMatch(new RegExp(`^Revision +\\d{4}-\\d\\d-\\d\\d \\(${era}\\)$`, 'm'))
    expect(stdout).toMatch(/^Offers +.*resources \(.*subscribe/m)
    expect(stdout).toContain(
      'Instructions\n  Ask for books by their names.\n  \\u001b[2JThen read them.\n',
    )
    expect(stdout.includes('Speaks')).toBe(era === 'modern')
    expect(code).toBe(0)
    const json = await ask('discover', '--json', '--era', era)
    expect(JSON.parse(json.stdout)).toMatchObject({ era, info: { name: 'library' } })
  })

  it('ping says how long it took, and what was sent', async () => {
    const { stdout, code } = await ask('ping', '--era', era)
    const method = era === 'legacy' ? 'ping' : 'server/discover'
    expect(stdout).toMatch(new RegExp(`^library answered in [\\d.]+ ms \\(${method}\\)\n$`))
    expect(code).toBe(0)
    const json = await ask('ping', '--json', '--era', era)
    expect(JSON.parse(json.stdout)).toMatchObject({ method, ms: expect.any(Number) })
  })

  it('raw prints the result of any request as JSON', async () => {
    const { stdout, code } = await ask(
      'raw',
      'resources/read',
      '{"uri":"book://dune"}',
      '--era',
      era,
    )
    expect(JSON.parse(stdout)).toMatchObject({ contents: [{ uri: 'book://dune' }] })
    expect(code).toBe(0)
  })
})

describe('read', () => {
  it('hands exact bytes to a pipe', async () => {
    const child = startCli(['read', 'book://cover', ...library])
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    await new Promise((resolve) => child.on('close', resolve))
    expect(Buffer.concat(chunks)).toEqual(Buffer.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff))
  })

  it('saves text or bytes in a file that is not there yet', async () => {
    const file = join(folder, 'cover.png')
    const run = await ask('read', 'book://cover', '--output', file)
    expect(run).toEqual({ stdout: '', stderr: `Saved as ${file} (image/png, 6 B).\n`, code: 0 })
    expect(readFileSync(file)).toEqual(Buffer.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff))
    const again = await ask('read', 'book://dune', '-o', file)
    expect(again.stderr).toContain(`"${file}" is there already.`)
    expect(again.code).toBe(1)
    expect(readFileSync(file).length).toBe(6)
  })

  it('says that a folder is not there, and leaves no file behind', async () => {
    const file = join(folder, 'none', 'x')
    const { stderr, code } = await ask('read', 'book://dune', '--output', file)
    expect(stderr).toContain(`"${file}" cannot be written:`)
    expect(code).toBe(1)
    expect(existsSync(file)).toBe(false)
  })

  it('prints several texts one after the other, and names them beside', async () => {
    const { stdout, stderr } = await ask('read', 'book://parts')
    expect(stdout).toBe('first\nsecond\n')
    expect(stderr).toBe('Content 1 of 2: book://parts\nContent 2 of 2: book://parts/2\n')
    const one = await ask('read', 'book://parts', '--output', join(folder, 'parts'))
    expect(one.stderr).toContain('The resource has 2 contents, and --output takes one.')
    expect(one.code).toBe(1)
  })

  it('leaves text and bytes together to --json', async () => {
    const { stdout, stderr, code } = await ask('read', 'book://mixed')
    expect(stderr).toContain('not all of them are text. Use --json')
    expect([stdout, code]).toEqual(['', 1])
    const json = await ask('read', 'book://mixed', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      contents: [{ text: 'words' }, { blob: 'iVBORwD/' }],
    })
  })

  it('exits with 8 for a resource that is not there', async () => {
    const { stderr, code } = await ask('read', 'book://none')
    expect(stderr).toMatch(/^The server answered with an error \(-3\d+\): /)
    expect(code).toBe(8)
  })
})

describe('prompt and complete', () => {
  it('name the prompts there are when one is asked for that is not, with exit code 5', async () => {
    const near = await ask('prompt', 'reveiw', 'text=x')
    expect(near).toEqual({
      stdout: '',
      stderr: 'Error: There is no prompt "reveiw". Near to it: "review".\n',
      code: 5,
    })
    const far = await cli(['prompt', 'zzz', ...library], zh)
    expect(far.stderr).toBe(
      '错误：没有提示词“zzz”。服务器提供 2 个提示词，例如“review”、“hello”。\n',
    )
  })

  it('leave it to the server to miss an argument', async () => {
    const { stderr, code } = await ask('prompt', 'review')
    expect(stderr).toMatch(/^The server answered with an error \(-32602\): .*text/)
    expect(code).toBe(8)
  })

  it('say that there are more suggestions than are shown', async () => {
    const { stdout, stderr } = await ask('complete', '--prompt', 'review', 'word')
    expect(stdout.trimEnd().split('\n')).toHaveLength(100)
    expect(stderr).toBe('100 of 300 are shown.\n')
  })
})

describe('a server that has none of it', () => {
  it.each([
    ['resources'],
    ['prompts'],
    ['read', 'x://y'],
    ['prompt', 'x'],
    ['complete', '--prompt', 'x', 'y'],
    ['raw', 'resources/list'],
  ])('is not asked for it: %s, with exit code 8', async (...words) => {
    const { stdout, stderr, code } = await cli([...words, ...calculator])
    expect(stderr).toMatch(/^Not possible with this server: .* was not declared\.\n$/)
    expect([stdout, code]).toEqual(['', 8])
  })
})

describe.each(eras)('listen in the era %s', (era) => {
  it('prints changes until Ctrl-C, which is its success', async () => {
    const child = startCli([
      'listen',
      '--uri',
      'book://dune',
      '--prompts',
      '--era',
      era,
      ...library,
    ])
    const run = finished(child)
    await said(child, 'Listening for changes: prompts, book://dune.')
    child.kill('SIGINT')
    expect(await run).toMatchObject({ code: 0 })
  })

  it('ends with 4 and says so when the server goes', async () => {
    const script = `
      const server = require('node:child_process').spawn(process.execPath, [process.argv[1]], { stdio: 'inherit' })
      server.on('exit', () => process.exit(3))
      process.on('SIGUSR2', () => server.kill('SIGKILL'))`
    const [, node = '', file = ''] = library
    const child = startCli([
      'listen',
      '--log-level',
      'debug',
      '--era',
      era,
      '--',
      node,
      '-e',
      script,
      file,
    ])
    const run = finished(child)
    const pid = await heard(child, /"pid":(\d+)/)
    await said(child, 'Listening for changes')
    process.kill(pid, 'SIGUSR2')
    const { stderr, code } = await run
    expect(stderr).toContain('exit code 3')
    expect(code).toBe(4)
  })
})

describe('what was typed wrong for these commands', () => {
  it.each([
    [['read'], 'URI is missing.'],
    [['read', 'a', 'b', '--', 'x'], 'Too many words: b.'],
    [['prompt', 'p', 'word', '--', 'x'], '"word" is no named text. Write NAME=VALUE.'],
    [['prompt', 'p', 'a=1', 'a=2', '--', 'x'], '"a" is given twice.'],
    [['prompt', 'p', 'a:=1', '--', 'x'], '"a:=1" is no named text.'],
    [['prompt', 'p', 'node', 'x.js'], '"node" was not expected here.'],
    [['complete', 'x', '--', 'x'], 'Say whose argument it is'],
    [
      ['complete', '--prompt', 'a', '--resource', 'b', 'x', '--', 'x'],
      'by one of these: --prompt NAME',
    ],
    [['complete', '--prompt', 'a', 'x', '--context', 'b', '--', 'x'], '"b" is no named text.'],
    [['raw', 'tools/list', '[]', '--', 'x'], 'JSON must be a JSON object'],
    [['raw', 'tools/list', '{x}', '--', 'x'], 'JSON is no valid JSON: line 1, column 2'],
    [['raw', 'tools/list', '@', '--', 'x'], 'JSON @ needs the name of a file'],
    [['raw', 'tools/list', '@/no/such.json', '--', 'x'], 'There is no file "/no/such.json".'],
    [['serve', 'calculator', '--port', '80'], '--port is for serving over HTTP. Add --http.'],
    [['serve', 'calculator', '--http', '--port', '65536'], '--port cannot be "65536".'],
    [
      ['serve', 'calculator', '--http', '--token-env', 'UNSET'],
      '--token-env UNSET names a variable',
    ],
    [
      ['serve', 'calculator', '--http', '--host', '0.0.0.0'],
      '--allow-host and --token-env are not given',
    ],
    [
      ['resources', 'npx', '-y', 'x'],
      'put "--" before that command: deep-pilot resources -- COMMAND …',
    ],
  ])('is told in one line, with exit code 1: %j', async (words, message) => {
    const { stdout, stderr, code } = await cli(words)
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([stdout, code]).toEqual(['', 1])
  })

  it('is a method that no revision has, with exit code 8 and nothing sent', async () => {
    const { stderr, code } = await ask('raw', 'no/such', '--trace')
    expect(stderr).toContain('no/such does not exist in revision')
    expect(stderr).not.toContain('"no/such"')
    expect(code).toBe(8)
  })

  it('may be params from a file', async () => {
    const file = join(folder, 'params.json')
    writeFileSync(file, '{"uri":"book://dune"}')
    const { stdout } = await ask('raw', 'resources/read', `@${file}`)
    expect(JSON.parse(stdout)).toMatchObject({ contents: [{ mimeType: 'text/plain' }] })
    const input = { input: '{"uri":"book://parts"}' }
    const piped = await cli(['raw', 'resources/read', '-', ...library], input)
    expect(JSON.parse(piped.stdout)).toMatchObject({ contents: [{ text: 'first' }, {}] })
  })
})

/** The number that the program says on stderr in this form. */
function heard(child: ReturnType<typeof startCli>, pattern: RegExp): Promise<number> {
  let text = ''
  return new Promise((resolve) => {
    child.stderr.on('data', (chunk: string | Uint8Array) => {
      text += String(chunk)
      const [, number] = pattern.exec(text) ?? []
      if (number !== undefined) resolve(Number(number))
    })
  })
}
