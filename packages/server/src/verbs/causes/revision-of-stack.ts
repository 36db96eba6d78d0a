/**
 * The commit that the lines of a stack are counted in. The stack of an analysis is that of its first record, and while a deploy
 * rolls out, or after the analysis came back, that is another release than the one which is to blame.
 */
import { hasHashForm, isHash } from '@tidemark/wire/deploys/revision'
import { RECORDED_AFTER_US } from '../../analysis/cause/thresholds.ts'
import { lineFollower } from '../../analysis/suspect/source-lines.ts'
import type { Place } from '../../analysis/suspect/suspects.ts'
import type { Analysis } from '../../model/analysis.ts'
import { MAX_HUNKS } from '../../repository/mirror/read-changed-files.ts'
import type { RepositoryMirror } from '../../repository/repository-mirror.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

type Deploys = Pick<ReadingParts['control']['deploys'], 'latestSucceeded'>

/** What is to blame, or was correlated, and when it went live. */
export type Blamed = { sha: string; atUs: number }

/** Null where it is not known: then no line of a file may be taken for a line of the stack. */
export async function revisionOfStack(
  deploys: Deploys,
  mirror: Pick<RepositoryMirror, 'fullHash'>,
  { projectId, environment, firstSeenUs, sample }: Analysis,
  blamed: Blamed | null,
): Promise<string | null> {
  const { release = '' } = sample
  if (hasHashForm(release)) {
    const named = await mirror.fullHash(release)
    if (named !== null || isHash(release)) return named
  }
  if (blamed !== null && blamed.atUs <= firstSeenUs + RECORDED_AFTER_US) return blamed.sha
  const ran = await deploys.latestSucceeded(projectId, environment, firstSeenUs)
  return ran && (await mirror.fullHash(ran.sha))
}

/** The same places in another revision. A line that was rewritten between the two is nowhere in the other. */
export async function placesAt(
  mirror: Pick<RepositoryMirror, 'filesAt' | 'hunksBetween'>,
  places: readonly Place[],
  { from, to }: { from: string | null; to: string },
): Promise<Place[]> {
  if (from === to) return [...places]
  const files = new Set(from === null ? [] : await mirror.filesAt(from))
  return Promise.all(
    places.map(async (place) => {
      if (place.line === null || from === null || !files.has(place.path)) return { ...place, line: null }
      const hunks = await mirror.hunksBetween(from, to, place.path)
      // Of a longer list only the beginning is there.
      return { ...place, line: hunks.length < MAX_HUNKS ? lineFollower(hunks)(place.line) : null }
    }),
  )
}
