import type { DeployAnalysis } from '@tidemark/wire/deploys/verdict'
import { expect, it } from 'vitest'
import { analysisLine } from './verdicts.ts'

const ANALYSIS: DeployAnalysis = {
  ...{ id: 'ana_1', title: 'TypeError: x is undefined', environment: 'production', service: 'checkout' },
  ...{ level: 'error', state: 'regressed', count: 37, onset: '2026-01-31T11:58:00Z', end: null },
  ...{ began: 'first', countsAgainst: true },
  likelyCause: { kind: 'deploy', title: 'Deploy of 4f2a9c1', deployId: 'dep_1', confidence: 'high' },
}

it('an analysis beside a deploy is told with how it began, in words that cannot be taken for its state', () => {
  expect(analysisLine(ANALYSIS)).toBe(
    'TypeError: x is undefined in checkout, began 2026-01-31T11:58:00Z, 37 errors, because of it (deploy, high confidence) ana_1',
  )
  const began = (['first', 'resolved', 'quiet', 'grew'] as const).map(
    (one) => analysisLine({ ...ANALYSIS, began: one }).split(/ in checkout, |, 37 errors/)[1],
  )
  expect(began).toEqual([
    'began 2026-01-31T11:58:00Z',
    'came back after it was resolved, 2026-01-31T11:58:00Z',
    'came back 2026-01-31T11:58:00Z',
    'grew from 2026-01-31T11:58:00Z',
  ])
})
