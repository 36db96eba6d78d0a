import { MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { BatchedQuestions } from './batched-questions.ts'
import { type RecordSubject, readOpportunities, windowsAround } from './record-steps.ts'

const ONSET_US = Date.UTC(2026, 0, 2) * 1_000
const QUESTION = { nowUs: ONSET_US + 600 * MINUTE_US, retention: { retentionDays: 3_650 }, signal: undefined }

/** Errors of twenty minutes that are over, with deploys so many minutes before them. */
function windows(minutesBefore: readonly number[], ended: object | null) {
  const deploys = minutesBefore.map((minutes) => ({ deploy: { deployedAtUs: ONSET_US - minutes * MINUTE_US } }))
  const course = { onsetUs: ONSET_US, untilUs: ONSET_US + 20 * MINUTE_US, isOver: true }
  const kinds = [{ fingerprint: '00000abc00000000', split: null }]
  const analysis = { environment: 'production', service: 'api' }
  const subject = { analysis, kinds, course, candidates: deploys, startedUs: null, ended }
  return windowsAround(subject as unknown as RecordSubject, QUESTION)!
}

describe('what ran', () => {
  it('is looked at between a deploy and the onset only where that is long enough for something to have run', () => {
    const { gaps, isLong } = windows([5, 45], null)
    expect(gaps).toEqual([null, { fromUs: ONSET_US - 45 * MINUTE_US, toUs: ONSET_US }])
    expect([isLong, windows([5, 10], null).isLong]).toEqual([true, false])
  })

  it('is looked at after the end only where no deploy explains the end', () => {
    expect(windows([], null).afterEnd).toMatchObject({ fromUs: ONSET_US + 20 * MINUTE_US + 1 })
    expect(windows([], { deploy: {}, isRollback: false }).afterEnd).toBeNull()
  })

  it('is not counted at all where there is neither', async () => {
    const compared = { ...windows([5], {}), operation: null, standouts: [], inGaps: [0], inAfter: 9, inAfterEnd: 0 }
    const answer = readOpportunities(nobody, compared as unknown as Parameters<typeof readOpportunities>[1])
    expect(await answer).toMatchObject({ opportunities: [null], wellSinceOnset: null, wellAfterEnd: null })
  })
})

const nobody = {
  values: () => Promise.reject(new Error('The log store was asked.')),
} as unknown as BatchedQuestions
