import { expect, it } from 'vitest'
import { isDangerousVariable, unpinnedPackage } from './launch-risks.ts'

const of = (...[command = '', ...args]: readonly string[]): string | undefined => {
  const found = unpinnedPackage(command, args)
  return found === undefined ? undefined : `${found.launcher}: ${found.package}`
}

it('finds packages that are fetched in whatever version is newest', () => {
  expect(of('npx', '-y', '@scope/name', '/dir')).toBe('npx: @scope/name')
  expect(of('/usr/bin/npx', 'name@latest')).toBe('npx: name@latest')
  expect(of('C:\\nodejs\\npx.cmd', '--package=name', 'run')).toBe('npx: name')
  expect(of('cmd', '/c', 'npx', '-y', 'name')).toBe('npx: name')
  expect(of('uvx', '--python', '3.12', '--from', 'pkg', 'run')).toBe('uvx: pkg')
  expect(of('uv', 'tool', 'run', 'pkg')).toBe('uv tool run: pkg')
  expect(of('pnpm', 'dlx', 'name@^1.0.0')).toBe('pnpm dlx: name@^1.0.0')
})

it('is content with a version, a path, and commands that fetch nothing', () => {
  expect(of('npx', '-y', '@scope/name@1.2.3')).toBeUndefined()
  expect(of('npx', 'name@1.2.3-rc.1')).toBeUndefined()
  expect(of('npx', './local')).toBeUndefined()
  expect(of('uvx', 'pkg==1.0')).toBeUndefined()
  expect(of('uvx', 'pkg@1.0')).toBeUndefined()
  expect(of('npx')).toBeUndefined()
  expect(of('node', 'npx', 'name')).toBeUndefined()
  expect(of('npm', 'run', 'x')).toBeUndefined()
})

it('knows variables that make programs run other code, in any case', () => {
  for (const name of ['NODE_OPTIONS', 'ld_preload', 'DYLD_INSERT_LIBRARIES', 'npm_config_registry'])
    expect(isDangerousVariable(name)).toBe(true)
  for (const name of ['PORT', 'PATHS', 'API_KEY']) expect(isDangerousVariable(name)).toBe(false)
})
