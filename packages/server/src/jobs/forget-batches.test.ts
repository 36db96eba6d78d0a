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
