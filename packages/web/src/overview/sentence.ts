/** What is wrong, in one sentence. Each part leads to what it counts. */

import { OPEN_STATES, spikeWord } from '@tidemark/wire/analyses/analysis-state'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { counted, withCommas } from '@tidemark/wire/text/counted'

type Lead = (typeof OPEN_STATES)[number] | 'attention' | 'deploys' | 'silent'
/** Without a lead, words between two parts. */
export type Part = { text: string; lead?: Lead }
type Sentence = { mood: 'calm' | 'wrong' | 'empty'; parts: Part[] }

type Told = Pick<OverviewAnswer, 'states' | 'spikingAnalyses' | 'deployVerdicts' | 'silentServices' | 'empty'>

export function sentenceOf(overview: Told): Sentence {
  const wrong = listOf(wrongIn(overview))
  if (overview.empty !== null) {
    return { mood: wrong.length > 0 ? 'wrong' : 'empty', parts: [{ text: 'No records in this time. ' }, ...wrong] }
  }
  if (wrong.length > 0) return { mood: 'wrong', parts: wrong }
  const ongoing = overview.states.ongoing ?? 0
  const still: Part[] =
    ongoing === 0
      ? []
      : [
          { text: ' ' },
          {
            text: `${counted(ongoing, 'analysis', 'analyses')} ${ongoing === 1 ? 'is' : 'are'} ongoing`,
            lead: 'ongoing',
          },
          { text: '.' },
        ]
  return { mood: 'calm', parts: [{ text: 'Nothing new is wrong.' }, ...still] }
}

/** Groups of parts: commas stand between the groups, and inside a group its own words. */
function wrongIn({ states, spikingAnalyses, deployVerdicts, silentServices }: Told): Part[][] {
  const spiking = spikingAnalyses.filter((analysis) => spikeWord(analysis) === 'spiking')
  const analyses = OPEN_STATES.map((state) =>
    state === 'ongoing'
      ? { count: spiking.length, word: 'spiking', lead: 'attention' as const }
      : { count: states[state] ?? 0, word: state, lead: state },
  )
  const others = [
    { count: deployVerdicts.bad ?? 0, noun: 'bad deploy', lead: 'deploys' },
    { count: deployVerdicts.suspect ?? 0, noun: 'suspect deploy', lead: 'deploys' },
    { count: silentServices.length, noun: 'silent service', lead: 'silent' },
  ] as const
  return [
    analysesPart(analyses.filter(({ count }) => count > 0)),
    ...others.filter(({ count }) => count > 0).map(({ count, noun, lead }) => [{ text: counted(count, noun), lead }]),
  ].filter((group) => group.length > 0)
}

/** `1 regressed and 3 new analyses`: one noun for all of them. */
function analysesPart(states: readonly { count: number; word: string; lead: Lead }[]): Part[] {
  const total = states.reduce((sum, { count }) => sum + count, 0)
  const noun = total === 1 ? 'analysis' : 'analyses'
  return states.flatMap(({ count, word, lead }, index) => {
    const isLast = index === states.length - 1
    const text = `${withCommas(count)} ${word}${isLast ? ` ${noun}` : ''}`
    if (index === 0) return [{ text, lead }]
    return [{ text: isLast ? ' and ' : ', ' }, { text, lead }]
  })
}

function listOf(groups: readonly Part[][]): Part[] {
  if (groups.length === 0) return []
  const listed = groups.flatMap((group, index) => (index === 0 ? group : [{ text: ', ' }, ...group]))
  return [...listed, { text: '.' }]
}
