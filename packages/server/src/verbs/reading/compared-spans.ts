/** The two windows that are compared: as they were asked for, or after a deploy and before it. */

import { comparedUs, MIN_COMPARED_US } from '@tidemark/wire/deploys/compared-span'
import type { Expression } from '@tidemark/wire/query/ast'
import type { Warning, WindowInput } from '@tidemark/wire/reading/question'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { SECOND_US } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { comparisonWarnings } from './comparison-warnings.ts'
import { narrowingOf } from './narrowing.ts'
import type { ReadingParts } from './reading-parts.ts'
import { rangeBefore, resolveWindow, type WindowNames, windowParts } from './window.ts'

type SpansInput = WindowInput & {
  baseFrom?: string | undefined
  baseTo?: string | undefined
  deployId?: string | undefined
}
/** What the caller calls the ends of the base, for errors about them. */
const USUAL_NAMES: WindowNames = { from: 'baseFrom', to: 'baseTo' }

/** `terms`: what the records of both must match besides the query. `environment`: to which they narrow them. */
export type Spans = {
  range: TimeRange
  base: TimeRange
  terms: Expression[]
  environment: string | null
  warnings: Warning[]
}

type Parts = Pick<ReadingParts, 'control' | 'now'>

export async function comparedSpans(
  parts: Parts,
  project: ProjectWithSettings,
  input: SpansInput,
  names: WindowNames = USUAL_NAMES,
): Promise<Spans> {
  const { deployId, environment, from, to, baseFrom, baseTo } = input
  if (deployId === undefined) return warned(parts, project, await askedSpans(parts, project, input, names))
  if ([from, to, baseFrom, baseTo].some((time) => time !== undefined)) {
    const message = `deployId stands for both windows: leave out from, to, ${names.from} and ${names.to}, or leave it out.`
    throw refused(['deployId'], message)
  }
  return warned(parts, project, await deploySpans(parts, project, { deployId, environment }))
}

function warned({ now }: Parts, project: ProjectWithSettings, spans: Spans): Spans {
  return { ...spans, warnings: [...spans.warnings, ...comparisonWarnings(project, spans, now())] }
}

async function askedSpans(
  parts: Parts,
  project: ProjectWithSettings,
  input: SpansInput,
  names: WindowNames,
): Promise<Spans> {
  const { environment, from, to, baseFrom, baseTo } = input
  const asked = { terms: [], environment: environment ?? null }
  const times = windowParts(parts, project)
  const { warnings, ...range } = await resolveWindow({ environment, from, to }, times)
  if (baseFrom === undefined && baseTo === undefined) {
    return { range, base: rangeBefore(range), ...asked, warnings }
  }
  if (baseFrom === undefined || baseTo === undefined) {
    const missing = baseFrom === undefined ? names.from : names.to
    const message = `${missing} is missing: give both ends of the base, or neither.`
    throw refused([missing], message)
  }
  const { warnings: more, ...base } = await resolveWindow({ environment, from: baseFrom, to: baseTo }, times, names)
  if (base.fromUs < range.toUs && range.fromUs < base.toUs) {
    const message =
      'The two windows overlap, so the same records would be on both sides: let one end where the other begins.'
    throw refused([names.from, names.to], message)
  }
  return { range, base, ...asked, warnings: [...warnings, ...more] }
}

async function deploySpans(
  parts: Parts,
  project: ProjectWithSettings,
  asked: { deployId: string; environment: string | undefined },
): Promise<Spans> {
  const { terms, within, environment = null, warnings } = await narrowingOf(parts, project.id, asked)
  const { fromUs: atUs = 0, toUs: nextUs = Number.POSITIVE_INFINITY } = within
  const ranUs = Math.max(0, Math.min(parts.now() * 1_000, nextUs) - atUs)
  const range = { fromUs: atUs, toUs: atUs + comparedUs(ranUs) }
  return {
    range,
    base: rangeBefore(range),
    terms,
    environment,
    warnings: [...warnings, ...(ranUs < MIN_COMPARED_US ? [shortRun(ranUs, nextUs - atUs <= ranUs)] : [])],
  }
}

/** In which its records came: up to now, where it ends later. */
export function secondsOf({ fromUs, toUs }: TimeRange, nowUs: number): number {
  return Math.max(1, (Math.min(toUs, nowUs) - fromUs) / 1e6)
}

function shortRun(ranUs: number, isReplaced: boolean): Warning {
  const length = formatElapsed(ranUs / SECOND_US)
  return {
    message: isReplaced
      ? `The deploy ran for ${length}, so the window also holds records of the one after it.`
      : `The deploy has been running for only ${length}: try again later.`,
  }
}

function refused(paths: readonly string[], message: string): AppError {
  return new AppError('invalid_request', message, { fields: paths.map((path) => ({ path, message })) })
}
