/** A program of its own, to be killed: records deploys without end and says each number once it is acknowledged. */
import { openControl } from '../control/open.ts'
import type { ProjectId } from '../model/project.ts'

const [dataDir = '', projectId = '', round = ''] = process.argv.slice(2)
const control = await openControl({ databaseUrl: undefined, dataDir })
for (let number = 0; ; number += 1) {
  const externalId = `${round}-${number}`
  const deploy = { sha: externalId, environment: 'production', deployedAtUs: number, externalId }
  await control.deploys.record(projectId as ProjectId, deploy, Date.now())
  if (number % 3 === 0) await control.projects.create({ name: `P ${externalId}`, retentionDays: 1 }, change())
  process.stdout.write(`${externalId}\n`)
}

function change() {
  return { by: 'operator', nowMs: Date.now() }
}
