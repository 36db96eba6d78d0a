/** Fills a project of the service through the doors that everybody uses, and waits until every error is analysed. */

import { setTimeout as sleep } from 'node:timers/promises'
import { progressBar } from '../../packages/cli/src/progress-bar.ts'
import { loadHistory } from '../../packages/demo/src/load-history.ts'
import { makeGitRepository } from '../../packages/demo/src/make-git-repository.ts'
import type { ShopDeploy } from '../../packages/demo/src/shop/deploys.ts'
import type { Commit } from '../../packages/demo/src/shop/repository/repository.ts'
import type { ShopRecord } from '../../packages/demo/src/shop/shop-record.ts'
import { isErrorLevel } from '../../packages/wire/src/level.ts'
import type { Filled } from '../query/ask.ts'
import type { ServiceProcess } from '../service-process.ts'

const ASK_EVERY_MS = 500

export type Loadable = {
  seed: number
  nowMs: number
  commits: readonly Commit[]
  deploys: readonly ShopDeploy[]
  records: readonly ShopRecord[]
}

export async function load(
  process: ServiceProcess,
  { name, seed, nowMs, commits, deploys, records }: Loadable & { name: string },
  gitPath: string,
): Promise<Filled> {
  const keys = process.createProject(name)
  await makeGitRepository(gitPath, { commits })
  await process.connectRepository(keys.projectId, gitPath)
  const errors = records.filter(({ level }) => isErrorLevel(level)).length
  const before = await process.metric('tidemark_analysis_errors_total')
  const doors = { origin: process.url, ...keys, signal: new AbortController().signal }
  await loadHistory(doors, { deploys, records, world: { seed, nowMs } }, progressBar(name))
  const analysed = () => process.metric('tidemark_analysis_errors_total')
  while ((await analysed()) < (Number.isNaN(before) ? 0 : before) + errors) await sleep(ASK_EVERY_MS)
  return { process, ...keys }
}
