/** An analysis with all that is known of it, as get_analysis shows it, shortened step by step. */

import { type AnalysisDetail, type AnalysisPart, analysisDetail } from '@tidemark/wire/analyses/analysis'
import type { DeployCommits } from '@tidemark/wire/deploys/deploy'
import { counted } from '@tidemark/wire/text/counted'
import { z } from 'zod'
import { ITEM_DETAILS, showItem } from './analyses.ts'
import { showStandout, showSuspect } from './causes.ts'
import { listedRow, listLogRow, showCommits, showDeploy } from './rows.ts'
import { sampleDifference, sampleDifferences } from './sample-differences.ts'
import { ALL, DETAILS, shortenText, wholeOrNone } from './shorten.ts'

export const shownAnalysis = analysisDetail.extend({
  samples: z.array(listedRow),
  /** Where the samples that are left out differ from the one that is shown. */
  sampleDifferences: z.array(sampleDifference),
  before: analysisDetail.shape.before
    .unwrap()
    .extend({ rows: z.array(listedRow) })
    .nullable(),
})
export type ShownAnalysis = z.infer<typeof shownAnalysis>

/** What is kept: places in DETAILS and ITEM_DETAILS, then how many of each list, characters of the raw stack. */
export type AnalysisStep = {
  row: number
  item: number
  samples: number
  before: number
  frames: number
  raw: number
  buckets: boolean
  values: number
  sentences: boolean
}

/** First the stack's second form goes, then rows are shortened, then what came before, frames and samples get fewer. */
export const ANALYSIS_STEPS: readonly AnalysisStep[] = [
  { row: 0, item: 0, samples: ALL, before: ALL, frames: ALL, raw: ALL, buckets: true, values: ALL, sentences: true },
  { row: 2, item: 0, samples: ALL, before: ALL, frames: ALL, raw: 4_000, buckets: true, values: 50, sentences: true },
  { row: 3, item: 1, samples: 5, before: 10, frames: 40, raw: 1_000, buckets: true, values: 20, sentences: true },
  { row: 4, item: 1, samples: 3, before: 10, frames: 20, raw: 0, buckets: true, values: 10, sentences: true },
  { row: 5, item: 1, samples: 3, before: 5, frames: 15, raw: 0, buckets: false, values: 10, sentences: true },
  { row: 6, item: 2, samples: 2, before: 3, frames: 10, raw: 0, buckets: false, values: 5, sentences: true },
  { row: 7, item: 2, samples: 1, before: 2, frames: 5, raw: 0, buckets: false, values: 3, sentences: false },
  { row: 7, item: 3, samples: 1, before: 0, frames: 3, raw: 0, buckets: false, values: 2, sentences: false },
  { row: 7, item: 3, samples: 0, before: 0, frames: 1, raw: 0, buckets: false, values: 1, sentences: false },
  { row: 7, item: 4, samples: 0, before: 0, frames: 0, raw: 0, buckets: false, values: 0, sentences: false },
  { row: 7, item: 5, samples: 0, before: 0, frames: 0, raw: 0, buckets: false, values: 0, sentences: false },
  { row: 7, item: 6, samples: 0, before: 0, frames: 0, raw: 0, buckets: false, values: 0, sentences: false },
]

/** `isWhole`: all samples, and the stack also as it came, instead of one sample and the frames. */
export type Wanted = { isWhole: (part: AnalysisPart) => boolean }

export function showDetail(analysis: AnalysisDetail, step: AnalysisStep, { isWhole }: Wanted): ShownAnalysis {
  const detail = DETAILS[step.row] ?? null
  const item = ITEM_DETAILS[step.item] ?? ITEM_DETAILS[0]!
  const { samples, before, previousDeploy, failedDeploys, occurrences, error, rawStack, stack } = analysis
  const values = <Value extends { value: string }>(list: Value[]) =>
    list.slice(0, step.values).map((one) => ({ ...one, value: shortenText(one.value, item.name) }))
  const shown = showItem(analysis, item)
  const shownSamples = Math.min(step.samples, isWhole('samples') ? ALL : 1)
  return {
    ...shown,
    correlatedDeploy: shown.correlatedDeploy && {
      ...shown.correlatedDeploy,
      commits: step.values > 0 ? fewCommits(shown.correlatedDeploy.commits, step.values, item) : null,
    },
    suspects: analysis.suspects.slice(0, step.values).map((one) => showSuspect(one, item)),
    suspectsReason: analysis.suspectsReason && shortenText(analysis.suspectsReason, item.text),
    standouts: analysis.standouts.slice(0, step.values).map((one) => showStandout(one, item)),
    grouping: shortenText(analysis.grouping, item.text),
    error: error && { type: shortenText(error.type, item.name), message: shortenText(error.message, item.text) },
    sentences: step.sentences ? analysis.sentences : [],
    previousDeploy: previousDeploy && step.values > 0 ? showDeploy(previousDeploy, detail) : null,
    failedDeploys: failedDeploys.slice(0, step.values).map((one) => showDeploy(one, detail)),
    occurrences: {
      ...occurrences,
      buckets: step.buckets ? occurrences.buckets : [],
      deploys: step.buckets ? occurrences.deploys.slice(0, step.values).map((one) => showDeploy(one, detail)) : [],
    },
    stack: fewerFrames(stack, step.frames, item.text),
    rawStack: stack.length > 0 && !isWhole('stack') ? '' : step.raw === 0 ? '' : shortenText(rawStack, step.raw),
    ...(analysis.users && { users: analysis.users }),
    services: values(analysis.services),
    hosts: values(analysis.hosts),
    releases: values(analysis.releases),
    samples: samples.slice(0, shownSamples).map((row) => listLogRow(row, detail)),
    sampleDifferences:
      shownSamples > 0 && shownSamples < samples.length ? sampleDifferences(samples).slice(0, step.values) : [],
    before:
      before &&
      (step.before > 0
        ? { by: before.by, rows: before.rows.slice(-step.before).map((row) => listLogRow(row, detail)) }
        : null),
    course: { ...analysis.course, text: shortenText(analysis.course.text, item.text * 2) },
    episodes: analysis.episodes.slice(0, step.values),
    source: step.frames >= FRAMES_WITH_SOURCE ? analysis.source : [],
    discussion: analysis.discussion && step.values > 0 ? fewComments(analysis.discussion, step.values, item) : null,
    recordsQuery: step.values > 0 ? analysis.recordsQuery : '',
    stateChangedBy: analysis.stateChangedBy && shortenText(analysis.stateChangedBy, item.name),
  }
}

/** Where fewer frames are shown, none has its lines. */
const FRAMES_WITH_SOURCE = 10
/** People's comments, the newest, each cut: they are a hint, not what was found. */
const SHOWN_COMMENTS = 10
const SHOWN_COMMENT_CHARACTERS = 500

function fewComments(
  { assignee, ticket, comments }: NonNullable<AnalysisDetail['discussion']>,
  most: number,
  { text, name }: (typeof ITEM_DETAILS)[number],
): AnalysisDetail['discussion'] {
  const shown = Math.min(most, SHOWN_COMMENTS)
  return {
    assignee: assignee && { ...assignee, name: shortenText(assignee.name, name), by: shortenText(assignee.by, name) },
    ticket: ticket && wholeOrNone(ticket.url, text) ? { ...ticket, by: shortenText(ticket.by, name) } : null,
    comments: (shown > 0 ? comments.slice(-shown) : []).map((one) => ({
      ...one,
      author: shortenText(one.author, name),
      text: shortenText(one.text, Math.min(text, SHOWN_COMMENT_CHARACTERS)),
    })),
  }
}

/** get_deploy lists them all. */
const SHOWN_COMMITS = 10

function fewCommits(
  commits: DeployCommits | null,
  most: number,
  { text, name }: (typeof ITEM_DETAILS)[number],
): DeployCommits | null {
  return commits && showCommits(commits, { commits: Math.min(most, SHOWN_COMMITS), paths: 3, title: text, name })
}

/** The program's own frames say most, so they are kept when only a few are. */
function fewerFrames(stack: AnalysisDetail['stack'], most: number, characters: number): AnalysisDetail['stack'] {
  if (most === ALL) return stack
  let left = most
  return stack.flatMap(({ type, message, frames }) => {
    if (left <= 0) return []
    const own = frames.filter(({ inApp }) => inApp)
    const kept = (frames.length <= left || own.length === 0 ? frames : own).slice(0, left)
    left -= Math.max(1, kept.length)
    const short = (text: string) => shortenText(text, Math.min(characters, 300))
    return [
      {
        type: short(type),
        message: short(message),
        frames: kept.map((frame) => ({ ...frame, function: short(frame.function), file: short(frame.file) })),
      },
    ]
  })
}

/** What a step may cut: how much of it there is, and what it is called in few words, for the smallest answers have to hold them. */
const LISTS: readonly [(one: ShownAnalysis) => number, string][] = [
  [(one) => new Set([one.likelyCause, one.correlatedDeploy].flatMap(evidenceOf)).size, 'evidence sentence'],
  [({ likelyCause }) => likelyCause.rivals.length, 'rival'],
  [({ suspects }) => suspects.length, 'suspect'],
  [({ correlatedDeploy }) => correlatedDeploy?.commits?.commits.length ?? 0, 'commit'],
  [({ standouts }) => standouts.length, 'standout'],
  [({ sentences }) => sentences.length, 'summary sentence'],
  [({ failedDeploys }) => failedDeploys.length, 'failed deploy'],
  [({ stack }) => stack.reduce((sum, { frames }) => sum + frames.length, 0), 'frame'],
  [({ source }) => source.length, 'source excerpt'],
  [({ samples }) => samples.length, 'sample'],
  [({ sampleDifferences }) => sampleDifferences.length, 'sample difference'],
  [({ before }) => before?.rows.length ?? 0, 'earlier record'],
  [({ services }) => services.length, 'service'],
  [({ hosts }) => hosts.length, 'host'],
  [({ releases }) => releases.length, 'release'],
  [({ occurrences }) => occurrences.buckets.length, 'bucket'],
  [({ occurrences }) => occurrences.deploys.length, 'nearby deploy'],
  [({ episodes }) => episodes.length, 'episode'],
  [({ discussion }) => discussion?.comments.length ?? 0, 'comment'],
]
const VALUES: readonly [(one: ShownAnalysis) => boolean, string][] = [
  [({ previousDeploy }) => previousDeploy !== null, 'previous deploy'],
  [({ trend }) => trend.length > 0, 'trend'],
  [({ rawStack }) => rawStack !== '', 'raw stack'],
  [({ recordsQuery }) => recordsQuery !== '', 'records query'],
  [({ discussion, notes }) => (discussion?.assignee ?? notes?.assignee ?? null) !== null, 'assignee'],
  [({ discussion, notes }) => (discussion?.ticket ?? notes?.ticket ?? null) !== null, 'ticket'],
]

/** Comments and commits are also bounded where all else fits. */
export function cutNotes(analysis: AnalysisDetail, shown: ShownAnalysis, wanted: Wanted): string[] {
  const { discussion, correlatedDeploy } = analysis
  const whole = { ...showDetail(analysis, ANALYSIS_STEPS[0]!, wanted), discussion, correlatedDeploy }
  const left = [
    ...LISTS.flatMap(([count, noun]) => {
      const missing = count(whole) - count(shown)
      return missing > 0 ? [counted(missing, noun)] : []
    }),
    ...VALUES.flatMap(([has, name]) => (has(whole) && !has(shown) ? [name] : [])),
  ]
  return left.length > 0 ? [`Left out: ${left.join(', ')}. Ask for parts with include, or for more maxTokens.`] : []
}

/** The deploy is often the cause, and has the same. */
function evidenceOf(one: { evidenceFor: string[]; evidenceAgainst: string[] } | null): string[] {
  return one === null ? [] : [...one.evidenceFor, ...one.evidenceAgainst]
}
