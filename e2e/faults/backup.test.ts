import { join } from 'node:path'
import { it } from 'vitest'
import { backUpUnderLoad, expectWhole, succeeding } from '../support/service/backup-trial.ts'
import { createProject } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { startService } from '../support/service/service.ts'
import { report } from './report.ts'

/** Twenty thousand records a second where the machine can take them, for about half a minute before the backup. */
const LOAD = { recordsPerBatch: 250, connections: 8, pauseMs: 60, leastBatches: 2_400 }

it('a backup under load, restored into an empty folder, has every record acknowledged before it, once', async () => {
  const service = await startService()
  const project = await createProject(service, 'backup')
  const place = join(temporaryFolder(), 'backups')
  const trial = await backUpUnderLoad(service, project, { place, load: LOAD })
  await service.stop()
  const restored = join(temporaryFolder(), 'restored')
  await succeeding(['restore', trial.first.path], { dataDir: restored })
  await expectWhole(restored, project, trial)
  report({
    fault: 'backup under load, restored',
    times: 1,
    note: `${trial.before.length * LOAD.recordsPerBatch} records before it, ${trial.recordsPerSecond} records/s during it`,
  })
})
