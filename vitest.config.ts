import { defineConfig } from 'vitest/config'

/** One project: unit tests beside their sources, tests across layers under `test/`, type tests on request. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    reporters: ['default'],
    typecheck: { include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts', 'src/**/index.ts', 'src/**/*.gen.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
