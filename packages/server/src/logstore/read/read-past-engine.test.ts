/** What is past a retention is counted without reading the records, asked of the real engine. */
import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import type { PastRetention } from '../../model/retention.ts'
import { TODAY, writeSegment } from '../testing/segment.ts'
import { isClusterLayout, missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'
import { countPast } from './read-past.ts'

// An engine on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 })

let client: ClickHouseClient
let project: ProjectId
beforeAll(async () => {
  if (missingEngine !== undefined) return
  const opened = await testStore()
  client = opened.client
  project = newId('prj') as ProjectId
  // The engine takes the counts only where they save something.
  const records = Array.from({ length: 2_000 }, (_, at) => ({ project, timeUs: (TODAY - 2) * DAY_US + at }))
  await opened.store.load(writeSegment(opened.dataDir, newId('seg'), records))
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

it.skipIf(isClusterLayout).each<[string, PastRetention['rules']]>([
  ['without rules', []],
  [
    'with rules for levels, services and environments',
    [
      { levels: ['error', 'fatal'], service: null, environment: null, beforeUs: (TODAY - 9) * DAY_US },
      { levels: null, service: 'web', environment: 'staging', beforeUs: TODAY * DAY_US },
    ],
  ],
])('the counts per minute answer, %s', async (_, rules) => {
  let plan = ''
  const past = { rules, beforeUs: (TODAY - 1) * DAY_US }
  await countPast(async (query, values) => {
    const answer = await client.query({
      query: `EXPLAIN ${query}`,
      query_params: { ...values, project },
      format: 'TabSeparatedRaw',
    })
    plan = await answer.text()
    return []
  }, past)
  expect(plan).toContain('per_minute')
})
