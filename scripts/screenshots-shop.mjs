// The shop of the demo in a project of the pictures: its last days, all its deploys, its repository, and
// a record that nobody should trust.
import { join } from 'node:path'
import { sendBatch, sendDeploy } from '../packages/demo/dist/doors.js'
import { loadHistory } from '../packages/demo/dist/load-history.js'
import { makeGitRepository } from '../packages/demo/dist/make-git-repository.js'
import { makeShop } from '../packages/demo/dist/shop/shop.js'
import { root } from './install.mjs'
import { run } from './run.mjs'

/** No picture looks further back, and under emulation the whole history would take minutes. */
const RECORDS_OF_MS = 2 * 24 * 3_600_000
const ANALYSED_WITHIN_MS = 120_000

/** Resolves when all of it can be searched, with what the pictures open: the bad deploy and one of its failures. */
export async function fillShop(origin, { id, ingestKey, readKey }, { dataDir, env }) {
  const shop = makeShop({ nowMs: Date.now() })
  const doors = { origin, ingestKey, readKey, signal: new AbortController().signal }
  await connectRepository(shop.repository, id, { dataDir, env })
  const since = new Date(shop.world.nowMs - RECORDS_OF_MS).toISOString()
  await loadHistory(doors, { ...shop, records: shop.records.filter(({ timestamp }) => timestamp >= since) })
  await sendBatch(doors, { id: 'hostile', records: 1, body: JSON.stringify(hostileRecord(shop.records.at(-1))) })
  const badDeploy = shop.deploys.findLast(({ body }) => body.environment === 'production')
  return {
    deployId: await sendDeploy(doors, badDeploy),
    recordId: await failureId(origin, readKey),
    analysisId: await analysisId(origin, readKey, badDeploy.body.sha),
  }
}

async function connectRepository(repository, projectId, { dataDir, env }) {
  const path = join(dataDir, 'shop.git')
  await makeGitRepository(path, repository)
  const tidemark = join(root, 'packages/cli/bin/tidemark.mjs')
  const args = [tidemark, 'repository', 'connect', '--project', projectId, path]
  const { code, output } = await run(process.execPath, args, { env })
  if (code !== 0) throw new Error(`The repository of the shop was not connected: ${output}`)
}

async function failureId(origin, readKey) {
  const query = encodeURIComponent('level:error service:checkout')
  const response = await fetch(`${origin}/api/logs?query=${query}&from=-6h&limit=10`, {
    headers: { Authorization: `Bearer ${readKey}` },
  })
  const { rows = [] } = await response.json()
  const row = rows.find(({ kind }) => kind === 'log')
  if (!row) throw new Error('No failure of checkout was found.')
  return row.id
}

/** Of the bad deploy. An error is part of an analysis seconds after it can be found. */
async function analysisId(origin, readKey, sha) {
  const giveUpAt = Date.now() + ANALYSED_WITHIN_MS
  while (Date.now() < giveUpAt) {
    const response = await fetch(`${origin}/api/analyses?from=-6h`, { headers: { Authorization: `Bearer ${readKey}` } })
    const { analyses = [] } = await response.json()
    const found = analyses.find(({ correlatedDeploy }) => correlatedDeploy?.sha === sha)
    if (found) return found.id
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('No analysis of the bad deploy was found.')
}

function hostileRecord(last) {
  return {
    ...last,
    level: 'fatal',
    service: 'worker',
    message: 'out of memory: <b>worker</b> killed \u001b[31mhard\u001b[0m user\u202egnp.exe',
  }
}
