/**
 * What began with the errors of a segment, written in the transaction that counts them: a crash neither loses nor
 * doubles it. Only for projects with a rule that asks for it, so that others pay nothing.
 */
import type { AlertReason } from '@tidemark/wire/alerts/alert-kinds'
import { type Analysis, type Episode, stateOf } from '../../model/analysis.ts'
import { type ControlTransaction, chunks } from '../database/database.ts'
import { rulesOf } from './rules.ts'

/** An analysis as it is now, and its current episode as it was before; null for one that did not exist. */
type Counted = Pick<Analysis, 'projectId' | 'id' | 'environment' | 'service' | 'title'> & {
  before: Episode | null
  now: Parameters<typeof stateOf>[0]
}

const ROWS_PER_STATEMENT = 50

export async function noteBeginnings(
  transaction: ControlTransaction,
  counted: readonly Counted[],
  nowMs: number,
): Promise<void> {
  const begun = counted.flatMap((one) => {
    const reason = reasonOf(one, nowMs)
    return reason === null ? [] : [{ ...one, reason }]
  })
  if (begun.length === 0) return
  const rules = await rulesOf(transaction, [...new Set(begun.map(({ projectId }) => projectId))])
  const asked = new Set(
    rules.flatMap(({ projectId, isOn, reasons }) => (isOn ? reasons.map((reason) => `${projectId} ${reason}`) : [])),
  )
  const events = begun
    .filter(({ projectId, reason }) => asked.has(`${projectId} ${reason}`))
    .map(({ projectId, id, environment, service, title, reason, now }) => ({
      project_id: projectId,
      // A floor is fixed when its episode begins, so it tells episodes apart for good.
      episode: `${id} ${now.episodes.at(-1)?.floorUs ?? 'first'}`,
      reason,
      subject: id,
      environment,
      service,
      title,
      at_us: now.episodes.at(-1)?.anchorUs ?? nowMs * 1_000,
      created_at: nowMs,
    }))
  for (const chunk of chunks(events, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('alert_events')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['project_id', 'episode']).doNothing())
      .execute()
  }
}

/** Old records that come late begin nothing: by the clock, their analysis is neither new nor back. */
function reasonOf({ before, now }: Counted, nowMs: number): AlertReason | null {
  const current = now.episodes.at(-1)
  const isSame = before?.floorUs === current?.floorUs || before?.anchorUs === current?.anchorUs
  if (before !== null && isSame) return null
  const state = stateOf(now, nowMs * 1_000)
  if (state === 'new') return 'new_analysis'
  return state === 'regressed' ? 'regressed_analysis' : null
}
