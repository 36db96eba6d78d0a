import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ONE_SHAPE } from './e2e/support/one-shape.ts'

const ENGINE_TESTS = 'packages/*/src/**/*-engine.test.ts'
/** What rooms promise at their limits, where a case takes seconds. */
const MORE_TESTS = '{packages/*/src,bench}/**/*-more.test.ts'
/** Rooms whose tests stand on real databases, git or ports. */
const ON_REAL_PARTS = 'packages/server/src/{control,verbs,repository,http,syslog,jobs,backup}/**/*.test.ts'
/** Makes up what it sends, and with more of it finds more. */
const FUZZED = 'packages/server/src/ingest/encode/fast-and-plain.test.ts'

const sources = {
  resolve: { conditions: ['tidemark-source'] },
  ssr: { resolve: { conditions: ['tidemark-source'] } },
}
/** Nothing is mocked, so files of a worker can share what they import, and with it a store, a service and a browser. */
const shared = { pool: 'forks', isolate: false } as const
const SEED = 'vitest.setup.ts'
const besideSource = {
  ...shared,
  setupFiles: [SEED],
  sequence: { groupOrder: 1 },
  // Ends a test that hangs. Property tests take seconds on a quiet machine and far longer on a busy one.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}
/** An emulated engine takes seconds for what takes milliseconds. */
const onEngine = {
  ...shared,
  setupFiles: [SEED],
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
}
/** What is started is built once; what a file started is gone at its end. */
const endToEnd = {
  ...shared,
  globalSetup: ['e2e/support/global-setup.ts'],
  setupFiles: [SEED, 'e2e/support/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
}
/** Each file by itself, one after the other. */
const oneByOne = { ...endToEnd, isolate: true, fileParallelism: false }

/** Files that take long. Begun last, one of them would keep a worker busy while the other has nothing to do. */
const FIRST = [
  'dashboard.test.ts',
  'revocation.test.ts',
  'sdk.test.ts',
  'mcp.test.ts',
  'more/kills.test.ts',
  'more/refused-starts.test.ts',
  'more/docs-snippets.test.ts',
  'more/cli-client.test.ts',
  'more/analysis-worker.test.ts',
  'more/demo.test.ts',
  'more/upgrades.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => FIRST.some((name) => moduleId.endsWith(`e2e/${name}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // Both cores: most of the time goes into waiting for services and engines to start.
    maxWorkers: 2,
    projects: [
      {
        ...sources,
        test: {
          ...besideSource,
          name: 'unit',
          include: ['{packages/*/src,bench}/**/*.test.ts'],
          exclude: [ENGINE_TESTS, MORE_TESTS, ON_REAL_PARTS],
        },
      },
      {
        ...sources,
        test: { ...besideSource, name: 'rooms', include: [ON_REAL_PARTS], exclude: [ENGINE_TESTS, MORE_TESTS] },
      },
      {
        ...sources,
        test: {
          ...onEngine,
          name: 'engine',
          include: [ENGINE_TESTS],
          sequence: { groupOrder: 2 },
        },
      },
      {
        // What the log store promises, once more, in the layout of a cluster, as far as one engine can play it.
        ...sources,
        test: {
          ...onEngine,
          name: 'cluster',
          include: [
            'packages/server/src/logstore/contract-engine.test.ts',
            'packages/server/src/{logstore/read,logstore/query,logstore/schema,jobs}/*-engine.test.ts',
          ],
          env: { TIDEMARK_TEST_LAYOUT: 'cluster' },
        },
      },
      {
        ...sources,
        test: {
          ...endToEnd,
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        ...sources,
        test: {
          ...endToEnd,
          name: 'more',
          include: ['e2e/more/**/*.test.ts', MORE_TESTS, FUZZED],
          env: { TIDEMARK_FUZZ_LINES: '20000' },
        },
      },
      {
        // What `e2e` and `more` run from outside, once more, each service two nodes over stores of their own.
        ...sources,
        test: {
          ...endToEnd,
          globalSetup: [...endToEnd.globalSetup, 'e2e/support/nodes-setup.ts'],
          name: 'nodes',
          include: ['e2e/*.test.ts', 'e2e/more/**/*.test.ts'],
          exclude: Object.keys(ONE_SHAPE),
        },
      },
      {
        ...sources,
        test: { ...oneByOne, name: 'long', include: ['e2e/long/*.test.ts'], testTimeout: 600_000 },
      },
      {
        ...sources,
        test: { ...oneByOne, name: 'faults', include: ['e2e/faults/*.test.ts'], testTimeout: 3_600_000 },
      },
    ],
  },
})
