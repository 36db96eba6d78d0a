import { expect, it } from 'vitest'
import { ANALYSIS_STATES, isQuietNow, isSettled, spikeWord } from './analysis-state.ts'

it('is settled once somebody resolved or ignored it', () => {
  expect(ANALYSIS_STATES.filter(isSettled)).toEqual(['resolved', 'ignored'])
})

it('is called quiet where that is news: not after it was resolved', () => {
  expect(ANALYSIS_STATES.filter((state) => isQuietNow({ state, activity: 'quiet' }))).toEqual([
    'regressed',
    'new',
    'ongoing',
    'ignored',
  ])
  expect(ANALYSIS_STATES.filter((state) => isQuietNow({ state, activity: 'active' }))).toEqual([])
})

it('spikes as long as it goes on, and has spiked once it is quiet', () => {
  expect(spikeWord({ state: 'ongoing', activity: 'active' })).toBe('spiking')
  expect(spikeWord({ state: 'ongoing', activity: 'quiet' })).toBe('spiked')
})
