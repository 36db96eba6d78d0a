/** The two windows that are compared: as they were asked for, or after a deploy and before it. */
import type { CompareInput } from '@tidemark/wire/compare'
import type { Expression } from '@tidemark/wire/query/ast'
import type { Warning } from '@tidemark/wire/reading'
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { durationWords } from '../../analysis/words.ts'
import { AppError } from '../../errors.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { narrowingOf } from './narrowing.ts'
import type { ReadingParts } from './reading-parts.ts'
import { rangeBefore, resolveWindow, windowParts } from './window.ts'

/** Of a deploy: later records say more about the traffic of the day than about it. */
const MAX_SPAN_US = HOUR_US
/** Of a deploy: in less time there is hardly anything to compare. */
const MIN_SPAN_US = 5 * MINUTE_US

/** `terms`: what the records of both must match besides the query. */
export type Spans = { range: TimeRange; base: TimeRange; terms: Expression[]; warnings: Warning[] }

type Parts = Pick<ReadingParts, 'control' | 'now'>

export async function comparedSpans(parts: Parts, project: ProjectWithSettings, input: CompareInput): Promise<Spans> {
  const { deployId, environment, from, to, baseFrom, baseTo } = input
  if (deployId === undefined) return askedSpans(parts, project, input)
  if ([from, to, baseFrom, baseTo].some((time) => time !== undefined)) {
    const message = 'deployId stands for both windows: leave out from, to, baseFrom and baseTo, or leave it out.'
    throw refused(['deployId'], message)
  }
  return deploySpans(parts, project, { deployId, environment })
}

async function askedSpans(parts: Parts, project: ProjectWithSettings, input: CompareInput): Promise<Spans> {
  const { environment, from, to, baseFrom, baseTo } = input
  const times = windowParts(parts, project)
  const { warnings, ...range } = await resolveWindow({ environment, from, to }, times)
  if (baseFrom === undefined && baseTo === undefined) {
    return { range, base: rangeBefore(range), terms: [], warnings }
  }
  if (baseFrom === undefined || baseTo === undefined) {
    const missing = baseFrom === undefined ? 'baseFrom' : 'baseTo'
    const message = `${missing} is missing: give both ends of the base, or neither; then it is the time just before the window.`
    throw refused([missing], message)
  }
  const names = { from: 'baseFrom', to: 'baseTo' }
  const { warnings: more, ...base } = await resolveWindow({ environment, from: baseFrom, to: baseTo }, times, names)
  if (base.fromUs < range.toUs && range.fromUs < base.toUs) {
    const message =
      'The two windows overlap, so the same records would be on both sides: let one end where the other begins.'
    throw refused(['baseFrom', 'baseTo'], message)
  }
  return { range, base, terms: [], warnings: [...warnings, ...more] }
}

async function deploySpans(
  parts: Parts,
  project: ProjectWithSettings,
  asked: { deployId: string; environment: string | undefined },
): Promise<Spans> {
  const { terms, within, warnings } = await narrowingOf(parts, project.id, asked)
  const { fromUs: atUs = 0, toUs: nextUs = Number.POSITIVE_INFINITY } = within
  const ranUs = Math.max(0, Math.min(parts.now() * 1_000, nextUs) - atUs)
  const lengthUs = Math.min(Math.max(ranUs, MIN_SPAN_US), MAX_SPAN_US)
  const range = { fromUs: atUs, toUs: atUs + lengthUs }
  return {
    range,
    base: rangeBefore(range),
    terms,
    warnings: [...warnings, ...(ranUs < MIN_SPAN_US ? [shortRun(ranUs, nextUs - atUs <= ranUs)] : [])],
  }
}

function shortRun(ranUs: number, isReplaced: boolean): Warning {
  const length = durationWords(ranUs)
  return {
    message: isReplaced
      ? `The deploy ran for ${length}, so the window also holds records of the one after it.`
      : `The deploy has been running for ${length} only: ask again later.`,
  }
}

function refused(paths: readonly string[], message: string): AppError {
  return new AppError('invalid_request', message, { fields: paths.map((path) => ({ path, message })) })
}
