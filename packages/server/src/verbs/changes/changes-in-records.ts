/**
 * What the records themselves show to have changed. Four independent questions, each of a few statements; one that
 * cannot be answered does not take the others down.
 */
import type { Field } from '@tidemark/wire/query/fields'
import { HOUR_US } from '@tidemark/wire/time/units'
import type { Change } from '../../analysis/change/change.ts'
import { type ServiceStream, serviceChanges } from '../../analysis/change/stream-changes.ts'
import { equals } from '../../analysis/field-query.ts'
import type { Slice } from '../../analysis/slices.ts'
import type { ProjectId } from '../../model/project.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { MAX_ENVIRONMENTS, type ReadingParts } from '../reading/reading-parts.ts'
import { slicesOf } from './change-window.ts'
import { changedPatterns } from './changed-patterns.ts'
import { changedSeries } from './changed-series.ts'
import { changedSettings } from './changed-settings.ts'
import type { AskedRecords, RecordQuestion } from './record-question.ts'

type Parts = Pick<ReadingParts, 'logStore' | 'patternTexts' | 'now'>

type RecordsSaid = {
  changes: Change[]
  /** Those that have records in the window, most first. */
  environments: string[]
  /** Some of the questions were not answered. */
  isIncomplete: boolean
  /** Environments that were not looked at one by one. */
  leftOut: number
}

export async function changesInRecords(
  parts: Parts,
  projectId: ProjectId,
  question: RecordQuestion,
): Promise<RecordsSaid> {
  const { window, environment, signal } = question
  const { records: range, base } = window
  const none = { changes: [], environments: environment === null ? [] : [environment], leftOut: 0 }
  if (range === null) return { ...none, isIncomplete: false }
  const logs = parts.logStore.project(projectId)
  const filter = { root: environment === null ? null : equals('environment', environment) }
  const asked: AskedRecords = { ...question, logs, range, filter }
  const places = await unlessAway(placesIn(asked), signal)
  if (places === null) return { ...none, isIncomplete: true }
  const { known, streams } = places
  const isNamed = environment === null && known.length > 1
  // Without anything to compare with, everything would be new.
  const questions =
    base === null
      ? []
      : [changedSettings(asked, streams), changedPatterns(parts, projectId, { ...asked, base }), changedSeries(asked)]
  const found = await Promise.all(questions.map((one) => unlessAway(one, signal)))
  const own = base === null ? [] : serviceChanges(streams, window, isNamed)
  const told = [...own, ...found.flatMap((one) => one ?? [])]
  return {
    changes: told.filter((change) => hadSomethingBefore(change, streams)),
    environments: known,
    isIncomplete: found.includes(null),
    leftOut: Math.max(0, known.length - MAX_ENVIRONMENTS),
  }
}

const BY_ABSENCE: readonly Change['kind'][] = ['service', 'host', 'version', 'errors']

/** In the first hour that anything is logged at all, everything appears. */
function hadSomethingBefore({ kind, atUs }: Change, streams: readonly ServiceStream[]): boolean {
  if (!BY_ABSENCE.includes(kind)) return true
  const firsts = streams.flatMap(({ records }) => records.find(({ count }) => count > 0)?.fromUs ?? [])
  return atUs >= Math.min(...firsts) + HOUR_US
}

async function placesIn(asked: AskedRecords): Promise<{ known: string[]; streams: ServiceStream[] }> {
  const known = await environmentsIn(asked)
  return { known, streams: await streamsIn(asked, known.slice(0, MAX_ENVIRONMENTS)) }
}

async function environmentsIn({ logs, range, filter, environment, signal }: AskedRecords): Promise<string[]> {
  if (environment !== null) return [environment]
  const field: Field = { kind: 'core', name: 'environment' }
  const { largest } = await logs.groups({ range, filter, signal }, { fields: [field], limit: 100 })
  return largest.map(({ values: [name] }) => name ?? '')
}

/** One statement for all services of all environments. */
async function streamsIn(
  { logs, window, signal }: AskedRecords,
  environments: readonly string[],
): Promise<ServiceStream[]> {
  const slices = slicesOf(window)
  const spans = environments.flatMap((environment) => slices.map((range) => ({ range, environment })))
  const found = await logs.serviceSpans(spans, signal)
  return environments.flatMap((environment, nth) => {
    const own = found.slice(nth * slices.length, (nth + 1) * slices.length)
    const services = new Set(own.flatMap((span) => span.services.map(({ service }) => service)))
    const byService = own.map((span) => new Map(span.services.map((one) => [one.service, one])))
    const of = (service: string, what: 'records' | 'errors'): Slice[] =>
      slices.map((range, at) => ({ ...range, count: byService[at]?.get(service)?.[what] ?? 0 }))
    return [...services].map((service) => ({
      environment,
      service,
      records: of(service, 'records'),
      errors: of(service, 'errors'),
    }))
  })
}
