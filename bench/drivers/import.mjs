/** Imports the given modules and nothing else. Reports the CPU time of the whole process so far, and the wall time. */
const order = JSON.parse(process.argv[2])
const start = performance.now()
// A peer's modules are found from its own folder, by a one-line module that stands there.
const { load } =
  order.loader === undefined ? { load: (name) => import(name) } : await import(order.loader)
for (const name of order.modules) await load(name)
const wallMs = performance.now() - start
const { user, system } = process.cpuUsage()
process.stdout.write(`${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 })}\n`, () =>
  process.exit(0),
)
