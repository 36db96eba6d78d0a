import { MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { Deploy } from '../../model/deploy.ts'
import { type DeployFound, deployChange } from './deploy-changes.ts'

const DEPLOYED_AT_US = 1_000 * MINUTE_US
const caused = {
  title: 'No price found',
  began: 'first',
  onsetUs: DEPLOYED_AT_US + 4 * MINUTE_US,
  confidence: 'high',
} as const

describe('a deploy that is to blame', () => {
  it.each([
    ['first', 'No price found began 4 min after it, and it is the likely cause.'],
    ['resolved', 'No price found came back after it was resolved, 4 min after it, and it is the likely cause.'],
    ['quiet', 'No price found came back 4 min after it, and it is the likely cause.'],
    ['grew', 'No price found grew from 4 min after it, and it is the likely cause.'],
  ] as const)('says what it did to an analysis in the words of its verdict: %s', (began, reason) => {
    expect(changeBy({ ...caused, began }).reason).toBe(reason)
  })

  it('is called a possible cause where little speaks for it', () => {
    const reason = 'No price found began 4 min after it, and it is a possible cause.'
    expect(changeBy({ ...caused, confidence: 'low' }).reason).toBe(reason)
  })
})

function changeBy(caused: DeployFound['caused']) {
  const where = { environment: 'production', sha: 'aaaaaaa1', message: null }
  const deploy = { ...where, status: 'succeeded', deployedAtUs: DEPLOYED_AT_US } as Deploy
  return deployChange({ deploy, place: 'same', isRollback: false, judged: null, caused })
}
