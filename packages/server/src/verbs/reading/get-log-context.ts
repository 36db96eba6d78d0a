/** One record, what was logged around it, and the deploy that was running. */
import { allOf, type Query } from '@tidemark/wire/query/ast'
import type { ContextAnswer, ContextInput } from '@tidemark/wire/reading'
import { DAY_US } from '@tidemark/wire/time/units'
import { equals } from '../../analysis/group/records-query.ts'
import { AppError } from '../../errors.ts'
import type { Order, StoredRecord } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReader } from '../access.ts'
import { toDeployRow } from './deploy-view.ts'
import { toLogRows } from './log-row.ts'
import type { ReadingParts } from './reading-parts.ts'

const DEFAULT_AROUND = 10
/** Neighbours further away than this explain nothing. */
const REACH_US = 7 * DAY_US

export async function getLogContext(
  parts: ReadingParts,
  caller: Caller,
  { id, before = DEFAULT_AROUND, after = DEFAULT_AROUND, by = 'time' }: ContextInput,
  signal?: AbortSignal,
): Promise<ContextAnswer> {
  const { control, logStore } = parts
  const project = requireReader(caller)
  const logs = logStore.project(project.id)
  const [record] = await logs.byIds([id], signal)
  if (record === undefined) {
    throw new AppError('not_found', 'There is no record with this id. It may have passed its retention: search for it.')
  }
  const filter = neighboursOf(record, by)
  const around = async (order: Order, limit: number) => {
    if (limit === 0) return []
    const { timeUs } = record
    const range =
      order === 'newest'
        ? { fromUs: Math.max(0, timeUs - REACH_US), toUs: timeUs + 1 }
        : { fromUs: timeUs, toUs: timeUs + REACH_US }
    return (await logs.search({ range, filter, order, limit, after: id, signal })).records
  }
  const [earlier, later, deploy] = await Promise.all([
    around('newest', before),
    around('oldest', after),
    control.deploys.latestSucceeded(project.id, record.environment, record.timeUs),
  ])
  const rows = await toLogRows(parts, project.id, [record, ...earlier.reverse(), ...later])
  const [shown] = rows
  return {
    record: shown!,
    before: rows.slice(1, 1 + earlier.length),
    after: rows.slice(1 + earlier.length),
    deploy: deploy && {
      ...toDeployRow(deploy),
      elapsedSeconds: (record.timeUs - deploy.deployedAtUs) / 1e6,
    },
  }
}

/** By time and by host, records of other environments are not neighbours; a trace may cross environments. */
function neighboursOf({ environment, host, traceId }: StoredRecord, by: 'time' | 'trace' | 'host'): Query {
  if (by === 'trace') {
    if (traceId === '') throw nothingToGoBy('The record has no traceId', 'time or host')
    return { root: equals('traceId', traceId) }
  }
  if (by === 'time') return { root: equals('environment', environment) }
  if (host === '') throw nothingToGoBy('The record has no host', 'time or trace')
  return { root: allOf([equals('environment', environment), equals('host', host)]) }
}

function nothingToGoBy(reason: string, instead: string): AppError {
  const message = `${reason}: ask for its context by ${instead}.`
  return new AppError('invalid_request', message, { fields: [{ path: 'by', message }] })
}
