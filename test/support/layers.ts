/**
 * The floors of the house, and which file stands where: data and plain look-ups for the tests of the
 * layer law. The law in words is in CONTRIBUTING.md.
 */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['schema', 'formats', 'jsonrpc'],
  ['protocol', 'transport'],
  ['tools', 'auth', 'capture', 'config'],
  ['client', 'server', 'policy'],
  ['host'],
  ['agent', 'gateway', 'inspector', 'servers', 'testing'],
  ['cli'],
  ['(door)', 'node'],
]

/** Packages that a layer may import; all other layers import none. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  schema: ['@cfworker/json-schema', 're2js'],
  formats: ['yaml'],
  transport: ['ws'],
  config: ['jsonc-parser', 'smol-toml', 'yaml'],
  cli: ['commander', '@clack/prompts'],
}

/** The folder under src/; `(door)` for a file in src/ itself. */
export function layerOf(path: string): string {
  const [, folder = '', file] = path.split('/')
  return file === undefined ? '(door)' : folder
}

/** 0 for the lowest; -1 for a folder that is on no floor. */
export function floorOf(layer: string): number {
  return floors.findIndex((floor) => floor.includes(layer))
}

/** The two files that gather other layers' exports: `deep-pilot` and `deep-pilot/node`. */
export function isDoor(path: string): boolean {
  return floorOf(layerOf(path)) === floors.length - 1
}

/** Whether Node's own modules and globals may be used there. */
export function onNode(path: string): boolean {
  return (
    path.includes('/node/') ||
    /^src\/(host|inspector|cli)\//.test(path) ||
    /^src\/servers\/([\w-]+-)?(main|bin)\.ts$/.test(path)
  )
}
