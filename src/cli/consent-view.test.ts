import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import type { CallQuestion, ConsentRequest } from '../host/consent.ts'
import { BAR, requestLines, requestTitle } from './consent-view.ts'
import { hostEn } from './messages/host-en.ts'
import { hostZh } from './messages/host-zh.ts'

const question = (more: Partial<CallQuestion> = {}): CallQuestion => ({
  kind: 'call',
  server: 'files',
  tool: 'read',
  alias: 'files__read',
  args: { path: '/etc/passwd' },
  argumentsHash: '00',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  trusted: false,
  reason: 'otherwise',
  message: 'No rule is about it.',
  pin: 'approved',
  lasting: true,
  warnings: [],
  ...more,
})
const shown = (request: ConsentRequest, columns = 80): string =>
  requestLines(request, hostEn.consent, columns).join('\n')

/** Sequences that move a cursor, set a title, write a clipboard, hide, overwrite or turn text around. */
const HOSTILE: readonly string[] = [
  ...['[2J', '[1A', '[H', '[31m', '[8m', '[?1049h', '[6n', '[21t', '[3J', '[K'].map(
    (code) => `\u001b${code}`,
  ),
  ...[
    '0;title\u0007',
    '52;c;QQ==\u0007',
    '8;;http://x\u001b\\',
    '4;1;red\u0007',
    '1337;a\u0007',
  ].map((code) => `\u001b]${code}`),
  '\u001bP+q\u001b\\',
  '\u001b_x\u001b\\',
  '\u001b^x\u001b\\',
  '\u001bX\u001b\\',
  '\u001bc',
  '\u009b2J',
  '\u009d0;t\u009c',
  '\u0090q\u009c',
  '\u009f',
  '\u0085',
  '\b\b\b',
  '\r',
  '\n',
  '\u007f',
  '\u0000',
  '\u000b',
  '\u000c',
  '\t',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\u{e0041}',
  '\ufe0f',
  '\u{e0100}',
  '\u3164',
  '\u00ad',
]

describe('the question before a call', () => {
  it('names server, tool, alias, hints, reason, rule, flow and warnings', () => {
    const text = shown(
      question({
        rule: 'ask files (deep-pilot.json:7)',
        because: 'ours to look after',
        flow: { source: 'web__fetch', sink: 'files__read' },
        pin: 'new',
        warnings: ['It names another tool.'],
      }),
    )
    const lines = text.split('\n').map((line) => line.slice(BAR.length))
    expect(lines).toEqual([
      'Server          files',
      'Tool            read',
      'For the model   files__read',
      'Says of itself  only reads (not believed)',
      'Definition      NEW: it came after its server was approved, and nobody looked',
      '                at it yet',
      'Asked because   No rule is about it.',
      'Rule            ask files (deep-pilot.json:7)',
      'Its reason      ours to look after',
      'Data could go   from web__fetch out by files__read',
      'Warning         It names another tool.',
      'Arguments',
      '  {',
      '    "path": "/etc/passwd"',
      '  }',
    ])
  })

  it('names the rule in the language of the run', () => {
    const request = question({ rule: 'ask files when /path under "/etc" (deep-pilot.json:7)' })
    const told = '询问 files，条件是 /path 在“/etc”之下（deep-pilot.json:7）'
    expect(requestLines(request, hostZh.consent, 200).join('\n')).toContain(told)
  })

  it('is one about a resource where that is read, and no word of its server about itself is in it', () => {
    const read = question({
      tool: 'resources/read',
      alias: 'read_resource',
      args: { uri: 'note:///plan' },
    })
    expect(requestTitle(read, hostEn.consent)).toBe('Read this resource of the server files?')
    expect(requestTitle(read, hostZh.consent)).toBe('读取服务器 files 的这个资源？')
    expect(shown(read)).toContain('note:///plan')
    expect(shown(read)).not.toContain(hostEn.consent.saysOfItself)
  })

  it('shows arguments whole, however long: joined again they are the same value', () => {
    const args = { text: `${'x'.repeat(5_000)}你${'\u001b[2J'.repeat(50)}`, sidenote: 'the secret' }
    const lines = requestLines(question({ args }), hostEn.consent, 40)
    const from = lines.findIndex((line) => line.endsWith('Arguments'))
    const joined = lines
      .slice(from + 1)
      .map((line) => line.slice(BAR.length))
      .map((line) => (line.startsWith('↪ ') ? line.slice(2) : `\n${line}`))
      .join('')
    expect(JSON.parse(joined)).toEqual(args)
  })

  it.each(HOSTILE.map((text) => [JSON.stringify(text), text]))(
    'has no effect of %s on the terminal, in any field of a peer',
    (_, text) => {
      const evil = `a${text}b`
      const request = question({
        server: evil,
        tool: evil,
        alias: evil,
        args: { [evil]: evil },
        message: evil,
        rule: evil,
        flow: { source: evil, sink: evil },
        warnings: [evil],
      })
      const all = [
        ...requestLines(request, hostEn.consent, 60),
        requestTitle(request, hostEn.consent),
      ]
      const bad = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
      expect(all.filter((line) => bad.test(line))).toEqual([])
    },
  )

  it('begins every line with the bar and is never wider than the terminal, so that nothing of a peer stands at the left edge', () => {
    const fake = `${' '.repeat(300)}◆  Call it? ${'│  ● Yes '.repeat(80)}`
    for (const columns of [24, 61, 200]) {
      const request = question({
        server: fake,
        tool: fake,
        args: { fake },
        message: fake,
        warnings: [fake],
      })
      const lines = requestLines(request, hostEn.consent, columns)
      expect(lines.every((line) => line.startsWith(BAR.trimEnd()))).toBe(true)
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns)
    }
  })

  it('marks lines that go on, so that the rest of a long text is no member', () => {
    const args = { text: `${'.'.repeat(27)}"path": "/safe"` }
    const lines = requestLines(question({ args }), hostEn.consent, 40)
    const members = lines.filter((line) => line.startsWith(`${BAR}    "`))
    expect(members).toHaveLength(1)
  })

  it('says that hints are not believed, unless the server is trusted', () => {
    expect(shown(question())).toContain('only reads (not believed)')
    expect(shown(question({ trusted: true }))).not.toContain('not believed')
  })

  it('is asked in Chinese as well', () => {
    const request = question({ server: undefined, reason: 'ask-rule', because: '归我们管' })
    const text = requestLines(request, hostZh.consent, 80).join('\n')
    expect(text).toContain('询问原因      有规则要求先询问')
    expect(text).toContain('规则的理由    归我们管')
    expect(text).toContain('程序自身')
  })

  it('shows what a server wants of the model, and what the model wrote', () => {
    const params = {
      messages: [
        { role: 'user' as const, content: { type: 'text' as const, text: 'steal\u001b[8m' } },
      ],
      maxTokens: 10,
    }
    expect(shown({ kind: 'sampling', server: 'web', params, warnings: [] })).toContain(
      '"text": "steal\\u001b[8m"',
    )
    const result = {
      role: 'assistant' as const,
      model: 'm',
      content: { type: 'text' as const, text: 'an answer' },
    }
    expect(shown({ kind: 'sampling-result', server: 'web', params, result })).toContain('an answer')
  })
})
