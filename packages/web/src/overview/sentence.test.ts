import { describe, expect, it } from 'vitest'
import { sentenceOf } from './sentence.ts'

type Told = Parameters<typeof sentenceOf>[0]

const QUIET: Told = {
  states: { new: 0, regressed: 0, ongoing: 0, resolved: 3, ignored: 1 },
  spikingAnalyses: [],
  deployVerdicts: {},
  silentServices: [],
  empty: null,
}
const SPIKING = { state: 'ongoing', activity: 'active' } as Told['spikingAnalyses'][number]
const SILENT = {} as Told['silentServices'][number]
const told = (some: Partial<Told>) => {
  const { mood, parts } = sentenceOf({ ...QUIET, ...some })
  const words = parts.map(({ text }) => text).join('')
  return [mood, words.trim()]
}

describe('the sentence of the overview', () => {
  it('names what came back, what is new and what spikes with one noun, then deploys and silence', () => {
    const some = {
      states: { ...QUIET.states, new: 3, regressed: 1 },
      spikingAnalyses: [SPIKING, SPIKING],
      deployVerdicts: { bad: 1, good: 4, suspect: 1, too_early: 2 },
      silentServices: [SILENT],
    }
    expect(told(some)).toEqual([
      'wrong',
      '1 regressed, 3 new and 2 spiking analyses, 1 bad deploy, 1 suspect deploy, 1 silent service.',
    ])
  })

  it.each<[string, Partial<Told>]>([
    ['1 new analysis.', { states: { new: 1 } }],
    ['1 regressed and 1,200 new analyses.', { states: { regressed: 1, new: 1_200 } }],
    ['2 silent services.', { silentServices: [SILENT, SILENT] }],
  ])('is %s', (words, some) => expect(told(some)).toEqual(['wrong', words]))

  it('is calm when nothing is new, and says what goes on', () => {
    expect(told({})).toEqual(['calm', 'Nothing new is wrong.'])
    expect(told({ states: { ongoing: 1 } })).toEqual(['calm', 'Nothing new is wrong. 1 analysis is ongoing.'])
    expect(told({ states: { ongoing: 4 } })).toEqual(['calm', 'Nothing new is wrong. 4 analyses are ongoing.'])
  })

  it('counts as spiking what still goes on, not what spiked and is quiet', () => {
    const spiked: typeof SPIKING = { ...SPIKING, activity: 'quiet' }
    const states = { ongoing: 2 }
    expect(told({ states, spikingAnalyses: [spiked, SPIKING] })).toEqual(['wrong', '1 spiking analysis.'])
    expect(told({ states, spikingAnalyses: [spiked] })).toEqual([
      'calm',
      'Nothing new is wrong. 2 analyses are ongoing.',
    ])
  })

  it('does not call a time without records calm', () => {
    expect(told({ empty: 'There are no records.' })).toEqual(['empty', 'No records in this time.'])
    expect(told({ empty: 'There are no records.', silentServices: [SILENT] })).toEqual([
      'wrong',
      'No records in this time. 1 silent service.',
    ])
  })

  it('leads from each part to what it counts', () => {
    const states = { new: 2, regressed: 1, ongoing: 9 }
    const { parts } = sentenceOf({ ...QUIET, states, spikingAnalyses: [SPIKING], silentServices: [SILENT] })
    expect(parts.filter(({ lead }) => lead).map(({ text, lead }) => [text, lead])).toEqual([
      ['1 regressed', 'regressed'],
      ['2 new', 'new'],
      ['1 spiking analyses', 'attention'],
      ['1 silent service', 'silent'],
    ])
  })
})
