import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fileToRead, findFilesystemServer, pathOutside } from './filesystem.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-demo-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function install(at: string, manifest: string): string {
  const home = join(at, 'node_modules/@modelcontextprotocol/server-filesystem')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), manifest)
  writeFileSync(join(home, 'index.js'), '')
  return join(home, 'index.js')
}

describe('the official server', () => {
  it('is found in the nearest node_modules above, then above the next folder', () => {
    const [here, there] = [join(folder, 'a/b'), join(folder, 'c/d')]
    mkdirSync(here, { recursive: true })
    mkdirSync(there, { recursive: true })
    expect(findFilesystemServer([here, there])).toBeUndefined()
    const program = install(join(folder, 'c'), '{"bin":{"x":"index.js"}}')
    expect(findFilesystemServer([here, there])).toBe(program)
    const nearer = install(join(folder, 'a'), '{"bin":"index.js"}')
    expect(findFilesystemServer([here, there])).toBe(nearer)
  })

  it.each(['{', '[]', '{"bin":{"x":"gone.js"}}', '{"bin":7}'])(
    'is not there when its installation is broken: %s',
    (manifest) => {
      const at = mkdtempSync(join(folder, 'broken-'))
      install(at, manifest)
      expect(findFilesystemServer([at]) ?? '').not.toContain(at)
    },
  )
})

describe('the folder of the demo', () => {
  it('offers package.json, else its first ordinary file, else nothing', () => {
    const at = mkdtempSync(join(folder, 'files-'))
    mkdirSync(join(at, 'a-folder'))
    expect(fileToRead(at)).toBeUndefined()
    writeFileSync(join(at, '.hidden'), '')
    writeFileSync(join(at, 'b.txt'), '')
    writeFileSync(join(at, 'c.txt'), '')
    expect(fileToRead(at)).toBe('b.txt')
    writeFileSync(join(at, 'package.json'), '')
    expect(fileToRead(at)).toBe('package.json')
  })

  it('has a path outside of it, unless it is the root of all', () => {
    expect(pathOutside(folder)).not.toContain(folder)
    expect(pathOutside('/')).toBeUndefined()
  })
})
