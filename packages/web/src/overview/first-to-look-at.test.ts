import type { OverviewAnalysis } from '@tidemark/wire/reading/overview'
import { expect, it } from 'vitest'
import { needingALook } from './first-to-look-at.ts'

const WINDOW = {
  window: { from: '2026-01-30T12:00:00Z', to: '2026-01-31T12:00:00Z' },
  trendFrom: '2026-01-30T12:00:00Z',
  trendSeconds: 43_200,
}

function analysis(id: string, errors: number, some: Partial<OverviewAnalysis> = {}): OverviewAnalysis {
  const shown = { id, state: 'new', activity: 'active', onset: '2026-01-31T11:00:00Z', trend: [0, errors] }
  return { ...shown, ...some } as OverviewAnalysis
}

it('begins with the one that the headline names, wherever it is listed, and names none twice', () => {
  const [back, one, many] = [analysis('back', 2, { state: 'regressed' }), analysis('one', 1), analysis('many', 90)]
  const spiking = analysis('spiking', 20, { state: 'ongoing' })
  const lists = { regressedAnalyses: [back], newAnalyses: [one, many], spikingAnalyses: [spiking] }
  const idsOf = (ofAKind: number) => needingALook({ ...WINDOW, ...lists }, ofAKind).map(({ id }) => id)
  expect(idsOf(5)).toEqual(['many', 'back', 'one', 'spiking'])
  expect(idsOf(1)).toEqual(['many', 'back', 'one', 'spiking'])
})

it('keeps the order of the lists where all of it has gone quiet', () => {
  const spiked = analysis('spiked', 20, { state: 'ongoing', activity: 'quiet' })
  const lists = { regressedAnalyses: [], newAnalyses: [], spikingAnalyses: [spiked] }
  expect(needingALook({ ...WINDOW, ...lists }, 5)).toEqual([spiked])
})
