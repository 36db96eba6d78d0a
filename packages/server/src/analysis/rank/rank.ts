/**
 * Where an analysis ranks in the list, and why, in words. Uses only facts about the window of the list, so the order
 * stays the same while somebody pages through it and errors keep arriving.
 */

import { episodeWords } from '@tidemark/wire/analyses/episode-words'
import type { Level } from '@tidemark/wire/level'
import { counted } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { HOUR_US, SECOND_US } from '@tidemark/wire/time/units'
import type { AnalysisState, EpisodeBegan } from '../../model/analysis.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { sum } from '../slices.ts'

export type RankFacts = {
  /** At the end of the window. */
  state: AnalysisState
  began: EpisodeBegan
  /** The episode started inside the window. */
  beganInside: boolean
  level: Level
  firstSeenUs: number
  lastSeenUs: number
  /** The window of the list. */
  range: TimeRange
  /** From the deploy to the anchor; null when no deploy explains it. */
  elapsedUs: number | null
  /** Inside the window, in equal parts, oldest first; null when the records could not be read. */
  trend: readonly number[] | null
  /** Ever. */
  count: number
}

export type Rank = { score: number; reason: string }

/** An error that begins this soon after a deploy ranks as one that comes from it. What its cause is, is weighed elsewhere. */
export const RANKED_WITH_DEPLOY_US = HOUR_US
const TIER = 10_000
const RESOLVED_TIER = 1
/** More than all tiers together: of what is open, everything that started in the window comes first. */
const BEGAN_INSIDE = 10 * TIER
const FATAL = 2_000
const PER_DOUBLING = 50
const SPIKE_FACTOR = 3
const SPIKE_LEAST = 10

export function rankOf(facts: RankFacts): Rank {
  const { tier, reason } = tierOf(facts)
  const volume = facts.trend === null ? facts.count : sum(facts.trend)
  const isFatal = facts.level === 'fatal'
  const score =
    tier * TIER +
    (facts.beganInside && tier > RESOLVED_TIER ? BEGAN_INSIDE : 0) +
    (isFatal ? FATAL : 0) +
    Math.min(30, Math.floor(Math.log2(1 + volume))) * PER_DOUBLING +
    recency(facts)
  const amount =
    facts.trend === null ? `${counted(volume, 'error')} in all` : `${counted(volume, 'error')} in the window`
  return { score, reason: [reason, ...(isFatal ? ['fatal'] : []), amount].join(', ') }
}

/** Highest first; ties by id, greatest first, as in every list. */
export function byRank(one: { id: string; score: number }, other: { id: string; score: number }): number {
  if (one.score !== other.score) return other.score - one.score
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0
}

function tierOf({ state, began, elapsedUs, trend, firstSeenUs, range }: RankFacts): { tier: number; reason: string } {
  const isAfterDeploy = elapsedUs !== null && elapsedUs <= RANKED_WITH_DEPLOY_US
  const after = isAfterDeploy ? ` ${formatElapsed(elapsedUs / SECOND_US)} after a deploy` : ''
  switch (state) {
    case 'regressed': {
      const back = episodeWords(began === 'resolved' ? 'resolved' : 'quiet')
      return { tier: isAfterDeploy ? 6 : 5, reason: isAfterDeploy ? `${back},${after}` : back }
    }
    case 'new':
      return isAfterDeploy ? { tier: 6, reason: `new${after}` } : { tier: 4, reason: 'new' }
    case 'ongoing':
      return isSpikedTrend(trend, firstSeenUs < range.fromUs)
        ? { tier: 3, reason: 'ongoing and spiked' }
        : { tier: 2, reason: 'ongoing' }
    case 'resolved':
      return { tier: RESOLVED_TIER, reason: 'resolved' }
    case 'ignored':
      return { tier: 0, reason: 'ignored' }
  }
}

/**
 * The newest quarter of the window holds three times its share. What began inside the window is compared with its own time
 * alone: that there was nothing of it before is no base to grow from.
 */
export function isSpikedTrend(trend: readonly number[] | null, wasKnownBefore: boolean): boolean {
  if (trend === null) return false
  const lived = wasKnownBefore ? trend : trend.slice(Math.max(0, firstFilled(trend)))
  if (lived.length < 4) return false
  const newest = sum(lived.slice(-Math.floor(lived.length / 4)))
  const earlier = sum(lived) - newest
  return newest >= SPIKE_LEAST && newest >= (SPIKE_FACTOR * earlier) / 3
}

/**
 * What goes on comes before what stopped and was up to sixteen times as much. In classes, and from the window where its
 * records are known: an error that comes later must not move it.
 */
function recency({ lastSeenUs, range: { fromUs, toUs }, trend }: RankFacts): number {
  const ageUs = trend === null ? toUs - lastSeenUs : emptyAtTheEnd(trend) * ((toUs - fromUs) / trend.length)
  const live = ageUs <= HOUR_US ? 4 : ageUs <= 6 * HOUR_US ? 3 : ageUs <= 24 * HOUR_US ? 1 : 0
  return live * PER_DOUBLING
}

function firstFilled(trend: readonly number[]): number {
  return trend.findIndex((count) => count > 0)
}

function emptyAtTheEnd(trend: readonly number[]): number {
  return trend.length - 1 - trend.findLastIndex((count) => count > 0)
}
