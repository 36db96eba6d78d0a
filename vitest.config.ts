import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['tidemark-source'] }
const ssr = { resolve: { conditions: ['tidemark-source'] } }
const builtOnce = { globalSetup: ['e2e/global-setup.ts'], setupFiles: ['e2e/setup.ts'] }

export default defineConfig({
  test: {
    // Both cores: most of the time goes into waiting for services and engines to start.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          pool: 'forks',
          // Nothing is mocked, so test files can share what they import: half of the time was importing it again.
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 30_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          pool: 'forks',
          // So the files of a worker share a service and a browser.
          isolate: false,
          sequence: { groupOrder: 2 },
          ...builtOnce,
          testTimeout: 120_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'long',
          include: ['e2e/long/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          ...builtOnce,
          testTimeout: 600_000,
          hookTimeout: 240_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'faults',
          include: ['e2e/faults/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          ...builtOnce,
          testTimeout: 3_600_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
