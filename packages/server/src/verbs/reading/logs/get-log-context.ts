/** One record, what was logged around it, and the deploy that was running. */
import { DEFAULT_NEIGHBOURS } from '@tidemark/wire/limits'
import type { ContextAnswer, ContextInput } from '@tidemark/wire/reading/context'
import { DAY_US } from '@tidemark/wire/time/units'
import { AppError } from '../../../errors.ts'
import type { Order } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireReader } from '../../access.ts'
import { toDeployRow } from '../deploy-view.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { toLogRows } from './log-row.ts'
import { type NeighboursBy, neighboursBy } from './neighbours.ts'

/** Neighbours further away than this explain nothing. */
const NEIGHBOURS_REACH_US = 7 * DAY_US

export async function getLogContext(
  parts: ReadingParts,
  caller: Caller,
  { id, before = DEFAULT_NEIGHBOURS, after = DEFAULT_NEIGHBOURS, by = 'time' }: ContextInput,
  signal?: AbortSignal,
): Promise<ContextAnswer> {
  const { control, logStore } = parts
  const project = requireReader(caller)
  const logs = logStore.project(project.id)
  const [record] = await logs.byIds([id], signal)
  if (record === undefined) {
    throw new AppError('not_found', 'There is no record with this id. It may have passed its retention: search for it.')
  }
  const root = neighboursBy(record, by)
  if (root === null) throw nothingToGoBy(by)
  const around = async (order: Order, limit: number) => {
    if (limit === 0) return []
    const { timeUs } = record
    const range =
      order === 'newest'
        ? { fromUs: Math.max(0, timeUs - NEIGHBOURS_REACH_US), toUs: timeUs + 1 }
        : { fromUs: timeUs, toUs: timeUs + NEIGHBOURS_REACH_US }
    return (await logs.search({ range, filter: { root }, order, limit, after: id, signal })).records
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

function nothingToGoBy(by: NeighboursBy): AppError {
  const [missing, instead] = by === 'trace' ? ['traceId', 'host'] : ['host', 'trace']
  const message = `The record has no ${missing}: ask for its context by time or ${instead}.`
  return new AppError('invalid_request', message, { fields: [{ path: 'by', message }] })
}
