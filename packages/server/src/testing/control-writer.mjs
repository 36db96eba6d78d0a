// A separate program, to be killed: once it is sent something it records deploys endlessly, and prints each number when
// it is acknowledged. Like every such program it runs what was built, and only what it needs: several are started at once.
import { once } from 'node:events'
import { openSqlite } from '../../dist/control/database/sqlite.js'
import { createDeploys } from '../../dist/control/deploys.js'
import { createProjects } from '../../dist/control/projects/projects.js'

const [dataDir, projectId, round] = process.argv.slice(2)
await once(process.stdin, 'data')
const database = openSqlite(dataDir)
const deploys = createDeploys(database)
const projects = createProjects(database)
for (let number = 0; ; number += 1) {
  const externalId = `${round}-${number}`
  const deploy = { sha: externalId, environment: 'production', deployedAtUs: number, externalId }
  await deploys.record(projectId, deploy, Date.now())
  if (number % 3 === 0) {
    await projects.create({ name: `P ${externalId}`, retentionDays: 1 }, { by: 'operator', nowMs: Date.now() })
  }
  process.stdout.write(`${externalId}\n`)
}
