import { describe, expect, it } from 'vitest'
import { sentenceOf, type Told } from './sentence.ts'

const QUIET: Told = {
  states: { new: 0, regressed: 0, ongoing: 0, resolved: 3, ignored: 1 },
  regressedAnalyses: [],
  newAnalyses: [],
  spikingAnalyses: [],
  deployVerdicts: {},
  deploys: [],
  silentServices: [],
  empty: null,
  window: { from: '2026-01-30T12:00:00Z', to: '2026-01-31T12:00:00Z' },
  trendFrom: '2026-01-30T12:00:00Z',
  trendSeconds: 43_200,
}
type Analysis = Told['spikingAnalyses'][number]
const analysis = (some: Partial<Analysis>) =>
  ({ id: 'a1', title: 'It broke', service: '', state: 'new', activity: 'active', ...QUICK, ...some }) as Analysis
const QUICK = { onset: '2026-01-31T11:00:00Z', trend: [0, 5] }
const SPIKING = analysis({ state: 'ongoing' })
const SILENT = {} as Told['silentServices'][number]
const told = (some: Partial<Told>) => {
  const { mood, parts } = sentenceOf({ ...QUIET, ...some })
  const words = parts.map(({ text }) => text).join('')
  return [mood, words.trim()]
}
/** Without what is named in it. */
const counts = (some: Partial<Told>) => {
  const [mood, words] = told(some)
  return [mood, words?.replace(/ Look first at .*/, '')]
}

describe('the sentence of the overview', () => {
  it('names what came back, what is new and what spikes with one noun, then deploys and silence', () => {
    const some = {
      states: { ...QUIET.states, new: 3, regressed: 1 },
      spikingAnalyses: [SPIKING, SPIKING],
      deployVerdicts: { bad: 1, good: 4, suspect: 1, too_early: 2 },
      silentServices: [SILENT],
    }
    expect(counts(some)).toEqual([
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
    expect(counts({ states, spikingAnalyses: [spiked, SPIKING] })).toEqual(['wrong', '1 spiking analysis.'])
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

  it('names what is worst of it, in which service, and leads there', () => {
    const trickle = analysis({ id: 'few', title: 'Cart is empty', trend: [0, 1] })
    const storm = analysis({ id: 'many', title: 'price is undefined', service: 'checkout', trend: [0, 900] })
    const some = { states: { new: 2 }, newAnalyses: [trickle, storm], deployVerdicts: { bad: 1 } }
    expect(told(some)).toEqual(['wrong', '2 new analyses, 1 bad deploy. Look first at price is undefined in checkout.'])
    const { parts } = sentenceOf({ ...QUIET, ...some })
    expect(parts.find(({ named }) => named)?.named).toEqual({ kind: 'analysis', id: 'many' })
    const long = analysis({ title: `${'word '.repeat(40)}end` })
    expect(told({ states: { new: 1 }, newAnalyses: [long] })[1]).toMatch(
      /^1 new analysis\. Look first at (word ?){17,18}…\.$/,
    )
  })

  it('names the deploy that did harm where there is no analysis', () => {
    const deploy = (verdict: string, sha: string, deployedAt = '2026-01-31T10:00:00Z') =>
      ({ id: sha, sha, environment: 'production', verdict, deployedAt }) as Told['deploys'][number]
    const deploys = [
      deploy('suspect', 'b'.repeat(40)),
      deploy('bad', 'a'.repeat(40)),
      deploy('bad', 'c'.repeat(40), '2026-01-20T10:00:00Z'),
    ]
    const words = (...verdicts: string[]) =>
      told({
        deployVerdicts: { bad: 1 },
        deploys: deploys.filter(({ verdict }) => verdicts.includes(verdict ?? '')),
      })[1]
    expect(words('bad', 'suspect')).toContain('Look first at the deploy of aaaaaaa to production.')
    expect(words('suspect')).toContain('Look first at the deploy of bbbbbbb to production.')
    expect(words()).toBe('1 bad deploy.')
    const quiet = analysis({ activity: 'quiet', title: 'It was broken' })
    const both = { states: { new: 1 }, newAnalyses: [quiet], deploys }
    expect(told(both)[1]).toContain('Look first at It was broken.')
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
