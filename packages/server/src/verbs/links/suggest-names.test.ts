import type { SuggestedKind } from '@tidemark/wire/reading/suggestions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'

const NOW_US = Date.UTC(2026, 0, 20, 12) * 1_000
const backend = controlBackends()[0]!
let control: Control
let project: ProjectWithSettings
const records = ['checkout', 'checkout', 'cart', ''].map((service, index) => stored(index, service))

beforeAll(async () => {
  control = await backend.open()
  const { id } = await control.projects.create({ name: 'shop', retentionDays: 30 }, { by: 'operator', nowMs: 0 })
  project = (await control.projects.get(id))!
  for (const [index, environment] of ['production', 'canary'].entries()) {
    const deploy = { sha: 'abc', environment, deployedAtUs: NOW_US - index }
    await control.deploys.record(id, deploy, NOW_US / 1_000)
  }
  await control.analyses.record(
    [{ segmentId: 'seg_1', groups: [errorGroup(id, { atUs: NOW_US - 1 })] }],
    NOW_US / 1_000,
  )
})
afterAll(() => backend.close())

it('offers names in use, those with most records first, and ids, newest first', async () => {
  const deploys = (await control.deploys.list(project.id, { limit: 9 })).map(({ id }) => id)
  const [analysis] = await control.analyses.list(project.id, { sort: 'lastSeen', limit: 1 }, NOW_US)
  expect(await ask('environment', '')).toEqual({ values: ['production', 'canary'], more: false })
  expect(await ask('service', '')).toEqual({ values: ['checkout', 'cart'], more: false })
  expect(await ask('deploy', '')).toEqual({ values: ['latest', ...deploys], more: false })
  expect(await ask('analysis', '')).toEqual({ values: [analysis!.id], more: false })
  expect(await ask('log', '')).toEqual({ values: ['log_0', 'log_1'], more: false })
})

it('offers what begins as typed, in either case, and says when there is more', async () => {
  expect(await ask('service', 'CA')).toEqual({ values: ['cart'], more: false })
  expect(await ask('service', 'c', 1)).toEqual({ values: ['checkout'], more: true })
  expect(await ask('deploy', 'lat')).toEqual({ values: ['latest'], more: false })
  expect(await ask('log', 'log_9')).toEqual({ values: [], more: false })
})

function ask(kind: SuggestedKind, prefix: string, limit = 10) {
  const parts = { control, logStore: { project: () => recordsInMemory(records).logs }, now: () => NOW_US / 1_000 }
  const reading = openReading({ ...parts, secretKey: 'secret', publicUrl: 'https://logs.example' })
  return reading.suggestNames({ kind: 'key', keyId: 'key_1', keyKind: 'read', project }, { kind, prefix, limit })
}

function stored(index: number, service: string): StoredRecord {
  const own = { id: `log_${index}`, pattern: '0'.repeat(16), fingerprint: null, receivedMs: 0 }
  const level = index < 2 ? 'error' : 'info'
  return { ...sampleRecord({ timeUs: NOW_US - index - 1, environment: 'production' }), service, level, ...own }
}
