/** Which records tell of a start, asked of the real engine. */
import type { Level } from '@tidemark/wire/level'
import { DAY_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { AttributeValue } from '../../model/log-record.ts'
import type { ProjectId } from '../../model/project.ts'
import type { LogStore } from '../log-store.ts'
import { START_RECORDS, START_RECORDS_OF_PATTERN } from '../questions.ts'
import { type SegmentRecord, TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'

const START_US = (TODAY - 1) * DAY_US
const SPAN = { range: { fromUs: START_US, toUs: START_US + DAY_US }, environment: 'production', service: 'api' }

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 120_000 })

let store: LogStore
let dataDir: string
beforeAll(async () => {
  if (missingEngine === undefined) ({ store, dataDir } = await testStore())
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

/** A pattern of its own for each, one microsecond apart, the first the oldest. */
async function loaded(records: readonly Partial<SegmentRecord>[]): Promise<ProjectId> {
  const project = newId('prj') as ProjectId
  const full = records.map(
    (one, at): SegmentRecord => ({
      project,
      service: 'api',
      timeUs: START_US + at,
      ...one,
      row: { pattern: { hi: 7, lo: at }, ...one.row },
    }),
  )
  await store.load(writeSegment(dataDir, newId('seg'), full))
  return project
}

const TELLING = [
  'Server started on port 8080',
  'Starting CheckoutApplication v1.4.2 using Java 21.0.1 with PID 1',
  'worker RESTARTED after 3 s',
  'restarting because of SIGHUP',
  'startup complete',
  'start-up took 31 s',
  'Listening on 0.0.0.0:3000',
  'booting kernel module loader',
  'ready to accept connections',
  'connection pool initialised (max=20)',
  'Initializing exporters',
  'loaded configuration from /etc/app.yaml',
  'Reloading config',
  'configuration changed: pool.size 10 -> 50',
  'config v17 applied',
  'settings: {"timeoutMs": 500}',
  'effective settings follow',
  'Feature flags fetched: 12',
  'flag new-checkout is now enabled',
  'read 14 environment variables',
  'using poolSize=50, timeout=3s',
]
const SILENT = [
  'Started GET "/api/cart" for 10.0.0.1',
  'job 17 started',
  'starting batch import',
  'retry started',
  'order 5 is ready',
  'user opened the settings page',
  'charged using card visa',
  'the flagship store opened',
  'upstart',
  'restart_count is 5',
  'loaded 5 items',
  'config',
]

it('finds what tells of a start or of settings, and no other work that begins', async () => {
  const project = await loaded([...TELLING, ...SILENT].map((message) => ({ message })))
  const [found] = await store.project(project).startRecords([SPAN])
  expect(found!.map(({ message }) => message).toReversed()).toEqual(TELLING)
  expect(await store.project(newId('prj') as ProjectId).startRecords([SPAN])).toEqual([[]])
})

it('gives to each span what is of its time, environment and service, newest first, and no errors', async () => {
  const message = 'service started'
  const levels: Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  const project = await loaded([
    ...levels.map((level) => ({ message, level })),
    { message, environment: 'staging' },
    { message, service: 'web' },
    { message, service: '' },
  ])
  const range = { fromUs: START_US + 1, toUs: START_US + 3 }
  const spans = [
    SPAN,
    { ...SPAN, range },
    { ...SPAN, environment: 'staging' },
    { ...SPAN, service: 'web' },
    { ...SPAN, service: '' },
    { ...SPAN, service: 'API' },
    SPAN,
  ]
  const found = await store.project(project).startRecords(spans)
  const times = found.map((records) => records.map(({ timeUs }) => timeUs - START_US))
  expect(times).toEqual([[3, 2, 1, 0], [2, 1], [6], [7], [8], [], [3, 2, 1, 0]])
})

it('gives the record with its attributes as they were, and cuts what is long', async () => {
  const settings = new Map<string, AttributeValue>([
    ['pool', 50],
    ['port', '8080'],
    ['isCached', true],
    ['none', null],
  ])
  const dump = new Map<string, AttributeValue>([...settings, ['dump', 'ü'.repeat(5_000)], ['after', 1]])
  const project = await loaded([
    { message: 'app started', host: 'host-1', release: '2.0', attributes: settings },
    { message: `settings: ${'ü'.repeat(9_000)}`, attributes: dump },
  ])
  const logs = store.project(project)
  const [[long, short]] = (await logs.startRecords([SPAN])) as [[never, never]]
  expect(short).toEqual({
    id: expect.stringMatching(/^log_/),
    timeUs: START_US,
    message: 'app started',
    pattern: '0000000700000000',
    host: 'host-1',
    release: '2.0',
    attributes: settings,
  })
  expect((await logs.byIds([(short as { id: string }).id])).map(({ message }) => message)).toEqual(['app started'])
  expect(long).toMatchObject({ message: `settings: ${'ü'.repeat(2_038)}`, attributes: settings })
})

it('lets no pattern that is logged all day hide the others', async () => {
  const noise = Array.from({ length: 300 }, () => ({ message: 'poller started', row: { pattern: { hi: 1, lo: 1 } } }))
  const project = await loaded([{ message: 'config loaded' }, ...noise])
  const [found] = await store.project(project).startRecords([SPAN])
  expect(found).toHaveLength(START_RECORDS_OF_PATTERN + 1)
  expect(found!.at(-1)!.message).toBe('config loaded')
  const various = await loaded(Array.from({ length: 60 }, (_, at) => ({ message: `part ${at} started` })))
  const [newest] = await store.project(various).startRecords([SPAN])
  expect(newest!.map(({ timeUs }) => timeUs - START_US)).toEqual(
    Array.from({ length: START_RECORDS }, (_, at) => 59 - at),
  )
})
