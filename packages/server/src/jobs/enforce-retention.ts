/**
 * Removes what should no longer be there: the records, analyses, views and source maps of deleted projects, records older
 * than a retention that was shortened after they came in, source maps of releases that no record is left of, and calls over
 * MCP and deliveries of alerts past their bounds. (Records that keep the retention they came in with expire in the store by
 * themselves.) The analyses of living projects outlive their records.
 */

import { MAX_AHEAD_US } from '@tidemark/wire/limits'
import { type Retention, retentionWords } from '@tidemark/wire/retention'
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import type { LogStore } from '../logstore/log-store.ts'
import type { ProjectId } from '../model/project.ts'
import { keptSinceUs, pastRetention } from '../model/retention.ts'
import type { Job } from './schedule.ts'

type Parts = {
  control: Pick<Control, 'projects' | 'analyses' | 'calls' | 'alertDeliveries' | 'views' | 'sourceMaps'>
  logStore: Pick<LogStore, 'forget'>
  log: Log
  now?: () => number
}

/** Records of a deleted project are gone within an hour. */
const EVERY_MS = 20 * MINUTE_MS

export function enforceRetention(parts: Parts) {
  return { name: 'retention', everyMs: EVERY_MS, run: () => removeWhatIsPast(parts) } satisfies Job
}

async function removeWhatIsPast({ control, logStore, log, now = Date.now }: Parts): Promise<void> {
  // What fails for one project is tried again later; the others are not to wait for it.
  async function attempt(project: ProjectId, work: () => Promise<void>): Promise<void> {
    await work().catch((error) => {
      log.warn({ project, err: error }, 'what is past the retention could not be removed; tried again later')
    })
  }

  for (const { id } of await control.projects.listDeleted()) {
    await attempt(id, async () => {
      await logStore.forget(id, null)
      await control.analyses.purge(id)
      await control.alertDeliveries.purge(id)
      await control.views.purge(id)
      await control.sourceMaps.purge(id)
      await control.projects.markPurged(id, now())
      log.info({ project: id }, 'the records of a deleted project are removed')
    })
  }
  for (const project of await control.projects.list()) {
    await attempt(project.id, async () => {
      if (await logStore.forget(project.id, pastRetention(project, now())))
        log.info({ project: project.id, kept: retentionWords(project) }, 'records past the retention are removed')
    })
    await attempt(project.id, async () => {
      const releases = await control.sourceMaps.prune(project.id, mapsUsedSinceMs(project, now()))
      if (releases > 0)
        log.info({ project: project.id, releases }, 'source maps of releases without records are removed')
    })
  }
  await control.calls.prune(now())
  await control.alertDeliveries.prune(now())
}

/** A record is kept by its own time, which may be ahead of the moment its map was used; that moment is written hourly. */
function mapsUsedSinceMs(project: Retention, nowMs: number): number {
  return (keptSinceUs(project, nowMs) - MAX_AHEAD_US) / 1_000 - HOUR_MS
}
