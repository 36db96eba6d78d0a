/**
 * How errors become episodes of an analysis. An episode owns the errors after its floor and up to the next one's; floors
 * never move once set, except that errors far before the first episode become an episode before it.
 */
import { QUIET_WINDOW_US } from '@tidemark/wire/analyses/analysis-state'
import type { AnalysisStatus, Episode, EpisodeBegan } from '../../model/analysis.ts'

/** What people decided about an analysis, and its errors so far. */
export type Standing = { status: AnalysisStatus; resolvedAtUs: number | null; episodes: readonly Episode[] }

/** Errors of one group that come together: never further apart than the quiet window. */
export type Occurrences = { count: number; firstUs: number; firstLogId: string; lastUs: number }

/** At the limit the two oldest are folded together, so the recent ones stay exact. */
export const MAX_EPISODES = 200

/** Adds errors that no bound separates: see `neededCut`. */
export function addOccurrences(standing: Standing, added: Occurrences): Standing {
  const { episodes } = standing
  const first = episodes[0]
  const current = episodes.at(-1)
  if (first === undefined || current === undefined) return { ...standing, episodes: [begin('first', null, added)] }

  const resolved = resolveBound(standing)
  if (resolved !== null && added.firstUs > resolved) {
    return { status: 'open', resolvedAtUs: null, episodes: bounded([...episodes, begin('resolved', resolved, added)]) }
  }
  const quietUntil = current.lastSeenUs + QUIET_WINDOW_US
  if (added.firstUs > quietUntil) {
    return { ...standing, episodes: bounded([...episodes, begin('quiet', quietUntil, added)]) }
  }
  const floorUs = added.lastUs + QUIET_WINDOW_US
  if (floorUs < first.anchorUs) {
    const later: Episode = { ...first, floorUs, began: 'quiet' }
    return { ...standing, episodes: bounded([begin('first', null, added), later, ...episodes.slice(1)]) }
  }
  const at = episodes.findLastIndex(({ floorUs }) => floorUs === null || floorUs < added.firstUs)
  return { ...standing, episodes: episodes.map((episode, index) => (index === at ? grown(episode, added) : episode)) }
}

/** The moment at which the errors must be cut in two before they can be added, or null. It belongs to the earlier part. */
export function neededCut(
  standing: Standing,
  { firstUs, lastUs }: Pick<Occurrences, 'firstUs' | 'lastUs'>,
): number | null {
  const bounds = [...standing.episodes.map(({ floorUs }) => floorUs), resolveBound(standing)]
  return bounds.find((bound) => bound !== null && firstUs <= bound && bound < lastUs) ?? null
}

/**
 * Adds the episodes of another analysis. Where one of them extends past a bound, its errors can no longer be told
 * apart: they count where it began, and what comes after only knows that there were errors until then.
 */
export function mergeEpisodes(standing: Standing, others: readonly Episode[]): Standing {
  let merged = standing
  for (const { count, anchorUs, anchorLogId, lastSeenUs } of others) {
    const whole = { count, firstUs: anchorUs, firstLogId: anchorLogId, lastUs: lastSeenUs }
    const cut = neededCut(merged, whole)
    merged = addOccurrences(merged, cut === null ? whole : { ...whole, lastUs: cut })
    if (cut !== null) merged = { ...merged, episodes: reachedOver(merged.episodes, lastSeenUs, cut) }
  }
  return merged
}

function reachedOver(episodes: readonly Episode[], untilUs: number, cut: number): Episode[] {
  return episodes.map((episode, at) => {
    if (episode.floorUs === null || episode.floorUs < cut || episode.floorUs >= untilUs) return episode
    const end = Math.min(untilUs, episodes[at + 1]?.floorUs ?? untilUs)
    return { ...episode, lastSeenUs: Math.max(episode.lastSeenUs, end) }
  })
}

/** Errors after it are a regression. Null until somebody resolves it. */
function resolveBound({ status, resolvedAtUs, episodes }: Standing): number | null {
  if (status !== 'resolved' || resolvedAtUs === null) return null
  // Errors may be dated ahead of the clock, and then an episode can begin later than the resolve.
  return Math.max(resolvedAtUs, episodes.at(-1)?.floorUs ?? resolvedAtUs)
}

function begin(
  began: EpisodeBegan,
  floorUs: number | null,
  { count, firstUs, firstLogId, lastUs }: Occurrences,
): Episode {
  return { floorUs, began, anchorUs: firstUs, anchorLogId: firstLogId, lastSeenUs: lastUs, count }
}

function grown(episode: Episode, { count, firstUs, firstLogId, lastUs }: Occurrences): Episode {
  // Of two errors at the same time the one with the smaller id is first, whichever arrived first.
  const isEarlier = firstUs < episode.anchorUs || (firstUs === episode.anchorUs && firstLogId < episode.anchorLogId)
  return {
    ...episode,
    ...(isEarlier ? { anchorUs: firstUs, anchorLogId: firstLogId } : {}),
    lastSeenUs: Math.max(episode.lastSeenUs, lastUs),
    count: episode.count + count,
  }
}

function bounded(episodes: Episode[]): Episode[] {
  const [oldest, next, ...rest] = episodes
  if (episodes.length <= MAX_EPISODES || oldest === undefined || next === undefined) return episodes
  const lastSeenUs = Math.max(oldest.lastSeenUs, next.lastSeenUs)
  return bounded([{ ...oldest, lastSeenUs, count: oldest.count + next.count }, ...rest])
}
