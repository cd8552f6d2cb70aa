import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cliHere } from '../../test/support/cli-in-process.ts'
import type { CliRun } from '../../test/support/cli.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deep-pilot-policy-problems-'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const wire = resolve(import.meta.dirname, '../../test/fixtures/file-server.mjs')

/** A configuration whose policy has a misspelt list in line 6. */
function configured(policy: object = { blocked: ['files'] }): string {
  const path = join(root, 'config.json')
  const servers = { files: { command: process.execPath, args: [wire], disabled: true } }
  writeFileSync(path, JSON.stringify({ deepPilot: { policy }, mcpServers: servers }, null, 2))
  return path
}

function run(words: string, language = 'en'): Promise<CliRun> {
  const env = { DEEP_PILOT_HOME: join(root, 'home') }
  return cliHere([...words.split(' '), '--lang', language], { env })
}

const SAID = 'config.json:4: "blocked" means nothing in a policy'

describe('a policy that cannot be read', () => {
  it.each(['list', 'tools', 'doctor', 'policy check', 'policy grants', 'verify'])(
    'is told of once by %s, with its file and line',
    async (command) => {
      const { stderr } = await run(`${command} --config ${configured()}`)
      expect(stderr.split(SAID)).toHaveLength(2)
      expect(stderr).toContain('Error: ')
      // Nor does a log line say it again.
      expect(stderr).not.toContain('the policy is broken')
    },
  )

  it('is told of before a tool is called', async () => {
    const { stderr } = await run(`call files.read --config ${configured()}`)
    expect(stderr.split(SAID)).toHaveLength(2)
  })

  it('is told of in Chinese', async () => {
    const { stderr } = await run(`list --config ${configured()}`, 'zh')
    expect(stderr).toContain('config.json:4：“blocked”在策略中没有含义')
    expect(stderr).toContain('错误：')
  })

  it('is told of as a JSON line', async () => {
    const { stderr } = await run(`list --json --config ${configured()}`)
    const [line = ''] = stderr.split('\n').filter((one) => one.includes('unknown-key'))
    expect(JSON.parse(line)).toMatchObject({
      problem: { severity: 'error', kind: 'unknown-key', place: { line: 4 } },
    })
  })

  it.each(['config doctor', 'doctor'])('ends %s with the code of a mismatch', async (command) => {
    const broken = await run(`${command} --config ${configured()}`)
    expect(broken.code).toBe(2)
    const mended = await run(`${command} --config ${configured({ deny: ['files'] })}`)
    expect(mended.code).toBe(0)
  })

  it('is one of the checks of config doctor', async () => {
    const { stdout } = await run(`config doctor --json --config ${configured()}`)
    const { ok, errors, checks } = JSON.parse(stdout)
    expect({ ok, errors }).toEqual({ ok: false, errors: 1 })
    const messages = checks.map(({ message }: { message: string }) => message)
    expect(messages.join('\n')).toContain(SAID)
  })

  it('is one of the problems of doctor in JSON', async () => {
    const { stdout } = await run(`doctor --json --config ${configured()}`)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ kind: 'unknown-key' }] })
  })

  it('shows no rule that nobody wrote', async () => {
    const path = configured()
    const english = await run(`policy check --config ${path}`)
    expect(english.stdout).toContain(
      `ask everything, as a part of the policy cannot be read (${path}:4)`,
    )
    expect(english.stdout).not.toContain('ask *')
    const chinese = await run(`policy check --config ${path}`, 'zh')
    expect(chinese.stdout).toContain(`一切都询问，因为策略有一处无法读取（${path}:4）`)
  })
})

describe('a setting that cannot be read', () => {
  it('is shown as what holds, and as what was not meant', async () => {
    const path = configured({ otherwise: 'alow' })
    const english = await run(`policy check --config ${path}`)
    expect(english.stdout).toContain(`anything else (what is written cannot be read: ${path}:4)`)
    const chinese = await run(`policy check --config ${path}`, 'zh')
    expect(chinese.stdout).toContain(`其他一切（写的无法读取：${path}:4）`)
  })
})

describe('a policy that is odd', () => {
  const odd = { otherwise: 'allow' }

  it('is told of by the checks alone', async () => {
    const path = configured(odd)
    const [list, check] = [
      await run(`list --config ${path}`),
      await run(`policy check --config ${path}`),
    ]
    expect(list.stderr).not.toContain('otherwise')
    expect(check.stderr).toContain('Warning: ')
    expect(check.stderr).toContain('tools that nobody looked at')
  })

  it('is a warning of config doctor', async () => {
    const { code, stderr } = await run(`config doctor --config ${configured(odd)}`)
    expect(code).toBe(0)
    expect(stderr).toContain('0 errors, 1 warning')
  })
})
