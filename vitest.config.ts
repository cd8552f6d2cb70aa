import { availableParallelism } from 'node:os'
import type { ViteUserConfig } from 'vitest/config'

/** One project: unit tests beside their sources, tests across layers under `test/`, type tests on request. */
const config: ViteUserConfig = {
  // `await using` is newer than Node 20, so that tests are brought down to it as the build is.
  oxc: { target: 'node20' },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // Much of the time is spent waiting for processes, so that two at once pay off on two cores as well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // For machines that are slow or busy: what is under test has time limits of its own.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    typecheck: { include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts', 'src/**/index.ts', 'src/**/*.gen.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
}

export default config
