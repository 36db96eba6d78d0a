/** What is done to two nodes under load, for as long as a test says, and what came of it. */
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withControl } from './ingest-project.ts'
import { NodeTrial } from './node-trial.ts'
import { temporaryFolder } from './processes.ts'
import type { Service } from './service.ts'
import type { Verdict } from './witness.ts'

/** `statuses`: what the load was answered. */
export type Outcome = { verdict: Verdict & { found: number[] }; statuses: Record<string, number> }

/** Of the questions asked while something is away: how often each answer came. */
type Answers = Record<string, number>

const ASK_EVERY_MS = 250

/** In turns one node and the other, each killed under load and started again on its folder. */
export async function killNodes(kills: number): Promise<Outcome> {
  const trial = await NodeTrial.begin()
  for (let kill = 0; kill < kills; kill++) {
    await sleep(200 + Math.random() * 1_200)
    await trial.kill(kill % 2)
    await sleep(Math.random() * 500)
    await trial.replace(kill % 2)
  }
  await sleep(200)
  return outcomeOf(trial)
}

/** A node dies with a full spool and does not come back; another one gets its volume, in another place. */
export async function moveVolume(): Promise<Outcome & { left: number }> {
  const trial = await NodeTrial.begin()
  trial.stores.logStoreAway()
  await untilSpooled(trial.nodes[0]!)
  await trial.kill(0)
  const { dataDir } = trial.nodes[0]!
  const left = readdirSync(join(dataDir, 'spool')).length
  const volume = join(temporaryFolder(), 'volume')
  cpSync(dataDir, volume, { recursive: true })
  rmSync(dataDir, { recursive: true })
  await trial.replace(0, volume)
  await trial.stores.logStoreBack()
  return { ...(await outcomeOf(trial)), left }
}

/** `asked`: what every door of both nodes answered meanwhile, with the project's keys and with revoked ones. */
export async function takePostgresAway(forMs: number): Promise<Outcome & { asked: Answers }> {
  const trial = await NodeTrial.begin()
  await untilAcknowledged(trial, 20)
  const ingestKeys = [trial.project.ingestKey, await revokedKey(trial, 'ingest')]
  const readKeys = [trial.project.readKey, await revokedKey(trial, 'read')]
  await trial.stores.postgres.halt()
  const asked: Answers = {}
  for (const endAt = Date.now() + forMs; Date.now() < endAt; await sleep(ASK_EVERY_MS)) {
    for (const node of trial.nodes) {
      for (const key of ingestKeys) await count(asked, await ingest(node, key))
      for (const key of readKeys) await count(asked, await read(node, key))
    }
  }
  await trial.stores.postgres.start()
  await untilAcknowledged(trial, trial.witness.acknowledgedBatches + 20)
  return { ...(await outcomeOf(trial)), asked }
}

/** `read`: what questions were answered meanwhile. */
export async function takeLogStoreAway(
  forMs: number,
  options?: { isCluster: boolean },
): Promise<Outcome & { read: Answers }> {
  const trial = await NodeTrial.begin(options)
  await untilAcknowledged(trial, 20)
  trial.stores.logStoreAway()
  const answers: Answers = {}
  for (const endAt = Date.now() + forMs; Date.now() < endAt; await sleep(ASK_EVERY_MS)) {
    for (const node of trial.nodes) await count(answers, await read(node, trial.project.readKey))
  }
  await trial.stores.logStoreBack()
  await untilAcknowledged(trial, trial.witness.acknowledgedBatches + 20)
  return { ...(await outcomeOf(trial)), read: answers }
}

/** On a cluster: every other segment is loaded and nobody hears of it, while batches come and a node is killed. */
export async function loseAnswers(batches: number): Promise<Outcome> {
  const trial = await NodeTrial.begin({ isCluster: true })
  trial.stores.loseAnswers()
  await untilAcknowledged(trial, batches)
  await trial.kill(0)
  await trial.replace(0)
  await untilAcknowledged(trial, trial.witness.acknowledgedBatches + batches)
  return outcomeOf(trial)
}

function revokedKey({ nodes, project }: NodeTrial, kind: 'ingest' | 'read'): Promise<string> {
  return withControl(nodes[0]!, async ({ keys }) => {
    const change = { by: 'operator', nowMs: Date.now() }
    const { key, secret } = await keys.create(
      { projectId: project.id, kind, name: 'revoked', expiresAtMs: null },
      change,
    )
    await keys.revoke(key.id, change)
    return secret
  })
}

async function outcomeOf(trial: NodeTrial): Promise<Outcome> {
  return { verdict: await trial.verdict(), statuses: trial.witness.statuses }
}

async function untilAcknowledged({ witness }: NodeTrial, batches: number): Promise<void> {
  while (witness.acknowledgedBatches < batches) await sleep(20)
}

async function untilSpooled({ dataDir }: Service): Promise<void> {
  while (readdirSync(join(dataDir, 'spool')).length === 0) await sleep(20)
}

function ingest({ url }: Service, key: string): Promise<Response> {
  // An empty batch: nothing is stored when it is let in.
  const body = JSON.stringify({ projectApiKey: key, logs: [] })
  return fetch(`${url}/v1/logs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

function read({ url }: Service, key: string): Promise<Response> {
  return fetch(`${url}/api/logs?from=-1h&limit=1`, { headers: { authorization: `Bearer ${key}` } })
}

async function count(answers: Answers, response: Response): Promise<void> {
  await response.arrayBuffer()
  const answer = `${response.status}${response.headers.has('retry-after') ? ' with Retry-After' : ''}`
  answers[answer] = (answers[answer] ?? 0) + 1
}
