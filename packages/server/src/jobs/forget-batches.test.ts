import { DAY_MS } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Control } from '../control/open.ts'
import { controlBackends } from '../testing/control.ts'
import { forgetBatches } from './forget-batches.ts'

const NOW = Date.UTC(2026, 5, 15, 13)
const backend = controlBackends()[0]!
let control: Control
beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())

it('forgets batches a day after they came in, and no earlier', async () => {
  const batch = { projectId: 'prj_1', digest: '', receivedMs: NOW, retentionDays: 30, segmentId: 'seg_1' }
  await control.batches.claim([{ ...batch, batchId: 'old', frame: 0 }], NOW - DAY_MS - 1)
  await control.batches.claim([{ ...batch, batchId: 'young', frame: 1 }], NOW - DAY_MS)
  await forgetBatches({ control, now: () => NOW }).run()
  const isKnown = async (batchId: string) =>
    (await control.batches.find({ projectId: 'prj_1', batchId }, 0)) !== undefined
  expect([await isKnown('old'), await isKnown('young')]).toEqual([false, true])
})

it('forgets what was received in a day after more than a year, and keeps its month', async () => {
  const day = (day: string) => ({ projectId: 'prj_1', day, records: 1, bytes: 1 })
  await control.usage.add('seg_days', [day('2025-05-10'), day('2025-05-11'), day('2025-05-12')], NOW)
  await forgetBatches({ control, now: () => NOW }).run()
  expect((await control.usage.days('prj_1', '2000-01-01')).map(({ day }) => day)).toEqual(['2025-05-11', '2025-05-12'])
  expect(await control.usage.get('prj_1', '2025-05')).toEqual({ records: 3, bytes: 3 })
})
