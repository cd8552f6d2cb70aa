import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../base/errors.ts'
import { parseConfig } from './parse.ts'

const secret = 's3cret-v4lue'
const read = (text: string, file: string) =>
  parseConfig(text, { file, scope: 'project', env: { TOKEN: secret } })

/** Texts to cut, double and swap pieces of; each uses the secret. */
const seeds: Readonly<Record<string, string>> = {
  'f.json':
    '{"inputs":[{"id":"k"}],"mcpServers":{"a":{"command":"x","args":["${TOKEN}",1,true],"env":{"T":"${TOKEN}"},"timeout":5000,"deepPilot":{"labels":["private-data"]}},"b":{"url":"http://h/${TOKEN}","headers":{"A":"Bearer ${TOKEN}"}}},"deepPilot":{"policy":{}}}',
  'f.yaml':
    'extensions:\n  a: &a\n    type: stdio\n    cmd: x\n    args: [-y, "${TOKEN}"]\n    envs: { T: "${TOKEN}" }\n  b: { <<: *a, env_keys: [TOKEN] }\n  c: { uri: "http://h/${TOKEN}" }\n',
  'f.toml':
    '[mcp_servers.a]\ncommand = "x"\nargs = ["${TOKEN}"]\n[mcp_servers.a.env]\nT = "${TOKEN}"\n[mcp_servers.b]\nurl = "http://h/${TOKEN}"\nbearer_token_env_var = "TOKEN"\n',
}

describe('whatever a file holds', () => {
  for (const [file, seed] of Object.entries(seeds))
    it(`it is read or refused as a whole, and no secret stands in what is told: ${file} (seed 20)`, async () => {
      const edit = fc.record({
        at: fc.nat(seed.length),
        cut: fc.nat(12),
        put: fc.constantFrom(
          '',
          '{',
          '}',
          '[',
          ']',
          '"',
          '\n',
          ':',
          '\u0000',
          '${',
          '__proto__',
          '*a',
          '\u202e',
          '-1e999',
          "'",
        ),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
          let text = seed
          for (const { at, cut, put } of edits)
            text = text.slice(0, at) + put + text.slice(at + cut)
          const outcome = await read(text, file).catch((error: unknown) => error)
          if (outcome instanceof Error) {
            if (!(outcome instanceof ConfigError)) throw outcome
            return !outcome.message.includes(secret)
          }
          const { problems, entries } = Object(outcome) as Awaited<ReturnType<typeof read>>
          return (
            !JSON.stringify(problems).includes(secret) &&
            entries.every(({ approved, trusted }) => !approved && !trusted)
          )
        }),
        { seed: 20, numRuns: 1500 },
      )
      expect(Object.keys(Object.prototype)).toEqual([])
    })
})
