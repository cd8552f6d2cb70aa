/** Help as it is asked for: of every command, in both languages, and of what there is not. */
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
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
    expect([stderr, code]).toEqual(['错误：没有命令“xyz”。全部命令：deep-pilot help\n', 1])
  })

  it('looks among the commands of the group', async () => {
    const asked = await cliHere(['help', 'config', 'lst'])
    expect(asked.stderr).toBe('Error: There is no command "lst". Did you mean list?\n')
    expect(asked).toEqual(await cliHere(['config', 'lst']))
    const other = await cliHere(['config', 'chatt'])
    expect(other.stderr).toBe(
      'Error: There is no command "chatt". All are told by: deep-pilot help\n',
    )
  })
})

/** Words of every command, those of groups and the program itself among them. */
async function allCommands(): Promise<readonly (readonly string[])[]> {
  const below = async (words: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const { stdout } = await cliHere([...words, '--help'])
    const [, list = ''] = stdout.split('\nCommands:\n')
    const names = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
    const deeper = await Promise.all(names.map((name) => below([...words, name])))
    return [words, ...deeper.flat()]
  }
  return below([])
}

describe('every help text', () => {
  it('has no line that is wider than 100 columns, in either language', async () => {
    const commands = await allCommands()
    expect(commands.length).toBeGreaterThan(40)
    const wide: string[] = []
    for (const words of commands)
      for (const language of ['en', 'zh']) {
        const { stdout } = await cliHere([...words, '--help', '--lang', language])
        wide.push(...stdout.split('\n').filter((line) => displayWidth(line) > 100))
      }
    expect(wide).toEqual([])
  })

  it('has in its list of commands none that begins with a capital', async () => {
    const { stdout } = await cliHere(['help'])
    expect(stdout.split('\nCommands:\n')[1]).not.toMatch(/^ {2}[a-z]+ +[A-Z]/m)
  })

  it('of the model names every provider that has an address', async () => {
    const { stdout } = await cliHere(['run', '--help'])
    const option = /--model <MODEL>([\s\S]*?)\n {2}--/.exec(stdout)?.[1] ?? ''
    for (const name of ['openai-chat', 'openrouter', 'ollama', 'llamacpp', 'vllm'])
      expect(option).toContain(name)
    expect(option).not.toContain('compatible')
  })

  it('of run tells every exit code', async () => {
    const { stdout } = await cliHere(['run', '--help'])
    const told = /Exit code:([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? ''
    const codes = [...told.matchAll(/(?<=\s)\d+(?=\s)/g)].map(([code]) => Number(code))
    expect(codes).toEqual([0, 1, 3, 4, 6, 7, 8, 9, 130])
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
