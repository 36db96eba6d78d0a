import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['tidemark-source'] }
const ssr = { resolve: { conditions: ['tidemark-source'] } }

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
          testTimeout: 3_600_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
