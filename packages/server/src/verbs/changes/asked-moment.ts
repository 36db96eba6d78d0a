/** The moment or the analysis that is asked about, and how far back. */

import { DEFAULT_LOOKBACK, MAX_LOOKBACK, MIN_LOOKBACK } from '@tidemark/wire/limits'
import type { ChangesInput } from '@tidemark/wire/reading/changes'
import type { Warning } from '@tidemark/wire/reading/question'
import { parseDuration } from '@tidemark/wire/time/duration'
import { unknownAnalysis } from '../../control/analyses/unknown-analysis.ts'
import { fieldError } from '../../errors.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { resolveMoment, windowParts } from '../reading/window.ts'

type Asked = { lookbackUs: number; environment: string | null; warnings: Warning[] } & (
  | { analysis: null; atUs: number }
  | { analysis: Analysis }
)

export async function askedMoment(
  parts: Pick<ReadingParts, 'control' | 'now'>,
  project: ProjectWithSettings,
  { at, analysisId, lookback, environment }: ChangesInput,
): Promise<Asked> {
  if (at !== undefined && analysisId !== undefined) {
    throw fieldError('at', 'at and analysisId both say when: leave one of them out.')
  }
  const lookbackUs = lengthOf(lookback ?? DEFAULT_LOOKBACK)
  if (analysisId !== undefined) {
    const analysis = await parts.control.analyses.get(project.id, analysisId)
    if (analysis === null) throw unknownAnalysis('analysisId')
    if (environment !== undefined && environment !== analysis.environment) {
      const own = JSON.stringify(analysis.environment)
      throw fieldError('environment', `The analysis is of ${own}: leave environment out, or name that one.`)
    }
    return { analysis, environment: analysis.environment, lookbackUs, warnings: [] }
  }
  const times = windowParts(parts, project)
  const asked = at === undefined ? times.nowUs : await resolveMoment(at, times, { path: 'at', environment })
  const isAhead = asked > times.nowUs
  const ahead = { message: 'at lies in the future, so this is what changed before now.' }
  return {
    analysis: null,
    atUs: Math.min(asked, times.nowUs),
    environment: environment ?? null,
    lookbackUs,
    warnings: isAhead ? [ahead] : [],
  }
}

function lengthOf(lookback: string): number {
  const lengthUs = parseDuration(lookback)
  const [least, most] = [parseDuration(MIN_LOOKBACK)!, parseDuration(MAX_LOOKBACK)!]
  if (lengthUs !== undefined && lengthUs >= least && lengthUs <= most) return lengthUs
  throw fieldError(
    'lookback',
    `lookback must be a duration from ${MIN_LOOKBACK} to ${MAX_LOOKBACK}, such as 24h or 90m.`,
  )
}
