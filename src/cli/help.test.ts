/** Help as it is asked for: of every command, in both languages, and of what there is not. */
import { describe, expect, it } from 'vitest'
import { cliHere } from '../../test/support/cli-in-process.ts'

describe('help of a command that there is not', () => {
  it('is a mistake that names the nearest command, as the command itself is', async () => {
    const asked = await cliHere(['help', 'confg'])
    expect(asked).toEqual({
      stdout: '',
      stderr: 'Error: There is no command "confg". Did you mean config?\n',
      code: 1,
    })
    expect(await cliHere(['confg'])).toEqual(asked)
  })

  it('names none where none is near', async () => {
    const { stderr, code } = await cliHere(['help', 'xyz', '--lang', 'zh'])
    expect([stderr, code]).toEqual(['错误：没有命令 “xyz”。\n', 1])
  })

  it('looks among the commands of the group', async () => {
    const asked = await cliHere(['help', 'config', 'lst'])
    expect(asked.stderr).toBe('Error: There is no command "lst". Did you mean list?\n')
    expect(asked).toEqual(await cliHere(['config', 'lst']))
    const other = await cliHere(['config', 'chatt'])
    expect(other.stderr).toBe('Error: There is no command "chatt".\n')
  })
})

describe('help', () => {
  it('of a command of a group is what the command itself shows', async () => {
    const asked = await cliHere(['help', 'config', 'add'])
    expect(asked.stdout).toMatch(/^Usage: deep-pilot config add/)
    expect(asked).toEqual(await cliHere(['config', 'add', '--help']))
  })

  it('without a name lists every command, itself among them', async () => {
    const { stdout, code } = await cliHere(['help'])
    expect(stdout).toMatch(/^ {2}config /m)
    expect(stdout).toMatch(/^ {2}help /m)
    expect(code).toBe(0)
  })
})
