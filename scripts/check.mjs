/**
 * The one gate: everything a machine checks, each step by its name, quick ones first. All steps run,
 * so that one round shows every fault. `npm run check -- lint types` runs only the named ones.
 */
import { bin, node, present } from './tools.mjs'

const code = ['src', 'test', 'bench', 'scripts', 'examples']
const script =
  (name, args = []) =>
  () =>
    node(`scripts/${name}`, args)
const tool = (packageName, args, name) => () => node(bin(packageName, name), args)

const steps = {
  types: tool('typescript', ['-p', 'tsconfig.json'], 'tsc'),
  lint: () =>
    node(bin('oxlint'), [
      '--deny-warnings',
      '--report-unused-disable-directives',
      ...present([...code, 'vitest.config.ts']),
    ]),
  format: tool('oxfmt', ['--check']),
  build: script('build.mjs'),
  unused: tool('knip', ['--no-config-hints']),
  publint: tool('publint', ['--strict']),
  attw: tool(
    '@arethetypeswrong/cli',
    ['--pack', '.', '--profile', 'esm-only', '--no-emoji', '--format', 'table-flipped'],
    'attw',
  ),
  size: script('run.mjs', ['scripts/size.ts']),
  tests: script('test.mjs'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name))
if (unknown.length > 0) {
  console.error(`No step "${unknown.join(', ')}". There are: ${Object.keys(steps).join(', ')}.`)
  process.exit(1)
}
const results = []
for (const [name, run] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n── ${name}`)
  const start = performance.now()
  const ok = run() === 0
  results.push({ name, ok, seconds: (performance.now() - start) / 1000 })
}
console.log('\n── result')
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${seconds.toFixed(1)} s`)
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
