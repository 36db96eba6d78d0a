/** What is wrong, in a sentence whose parts lead to what they count, and in a second one what is worst of it. */

import { OPEN_STATES, spikeWord } from '@tidemark/wire/analyses/analysis-state'
import type { OverviewAnswer } from '@tidemark/wire/reading/overview'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { cutWithin } from '@tidemark/wire/text/cut-text'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { firstToLookAt } from './first-to-look-at.ts'

/** Of a title: the rest is one click away. */
const TITLE_CHARACTERS = 90

type Lead = (typeof OPEN_STATES)[number] | 'attention' | 'deploys' | 'silent'
type Named = { kind: 'analysis' | 'deploy'; id: string }
/** With neither, words between two parts. */
export type Part = { text: string; lead?: Lead; named?: Named }
type Sentence = { mood: 'calm' | 'wrong' | 'empty'; parts: Part[] }

export type Told = Pick<
  OverviewAnswer,
  | 'states'
  | 'regressedAnalyses'
  | 'newAnalyses'
  | 'spikingAnalyses'
  | 'deployVerdicts'
  | 'deploys'
  | 'silentServices'
  | 'empty'
  | 'window'
  | 'trendFrom'
  | 'trendSeconds'
>

export function sentenceOf(overview: Told): Sentence {
  const wrong = [...listOf(wrongIn(overview)), ...worstIn(overview)]
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

/** What to look at first, by name: the worst analysis, whose page begins with its deploy, else a deploy that did harm. */
function worstIn(overview: Told): Part[] {
  const analysis = firstToLookAt(overview)
  const deploy = analysis === undefined ? worstDeploy(overview) : undefined
  if (deploy !== undefined) {
    const { id, sha, environment } = deploy
    const text = `the deploy of ${shortSha(sha)} to ${plainLine(environment)}`
    return [{ text: ' Look first at ' }, { text, named: { kind: 'deploy', id } }, { text: '.' }]
  }
  if (analysis === undefined) return []
  const { id, title, service } = analysis
  const where = service === '' ? '.' : ` in ${plainLine(service)}.`
  const text = cutWithin(plainLine(title), TITLE_CHARACTERS)
  return [{ text: ' Look first at ' }, { text, named: { kind: 'analysis', id } }, { text: where }]
}

/** Of the window, as those that are counted. */
function worstDeploy({ deploys, window }: Told): Told['deploys'][number] | undefined {
  const inWindow = deploys.filter(({ deployedAt }) => Date.parse(deployedAt) >= Date.parse(window.from))
  return inWindow.find(({ verdict }) => verdict === 'bad') ?? inWindow.find(({ verdict }) => verdict === 'suspect')
}

function listOf(groups: readonly Part[][]): Part[] {
  if (groups.length === 0) return []
  const listed = groups.flatMap((group, index) => (index === 0 ? group : [{ text: ', ' }, ...group]))
  return [...listed, { text: '.' }]
}
