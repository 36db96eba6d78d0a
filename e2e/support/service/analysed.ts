/**
 * Waits until errors have become analyses. It looks into the control store beside the running service: a list also works
 * out the cause of everything in it, which an emulated engine takes seconds for each time it is asked.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Analysis } from '../../../packages/server/src/model/analysis.ts'
import type { ProjectId } from '../../../packages/server/src/model/project.ts'
import { withControl } from './ingest-project.ts'
import type { Service } from './service.ts'

const PATIENCE_MS = 180_000
const ASK_EVERY_MS = 100
const MOST = 10_000

/** All analyses of the project, whatever their state, once they are as waited for. */
export function analysed(
  service: Pick<Service, 'dataDir'>,
  projectId: string,
  isThere: (analyses: Analysis[]) => boolean,
): Promise<Analysis[]> {
  return withControl(service, async ({ analyses }) => {
    for (const giveUpAt = Date.now() + PATIENCE_MS; ; await sleep(ASK_EVERY_MS)) {
      const found = await analyses.list(projectId as ProjectId, { sort: 'lastSeen', limit: MOST }, Date.now() * 1_000)
      if (isThere(found)) return found
      if (Date.now() > giveUpAt) {
        const counts = found.map(({ title, count }) => `${count} of ${title}`)
        throw new Error(`Not analysed as waited for. There are: ${counts.join('; ')}`)
      }
    }
  })
}

/** How many errors they have together. */
export function errorsOf(analyses: readonly Pick<Analysis, 'count'>[]): number {
  return analyses.reduce((sum, { count }) => sum + count, 0)
}
