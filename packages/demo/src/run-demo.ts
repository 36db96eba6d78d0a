/** The demo from its start to Ctrl-C: the service, a project, the history, then the live shop. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type App, startApp } from '@tidemark/server/app'
import type { Config } from '@tidemark/server/config'
import { AppError } from '@tidemark/server/errors'
import { createLog } from '@tidemark/server/log'
import { stopOnSignals } from '@tidemark/server/stop-on-signals'
import { BATCH_MEMORY_MS } from '@tidemark/wire/batch-id'
import { localOrigin } from '@tidemark/wire/local-address'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { demoConfig } from './demo-config.ts'
import { type DemoState, openDemoFolder, saveState, writeWhole } from './demo-folder.ts'
import { type Doors, untilReady } from './doors.ts'
import { ensureProject } from './ensure-project.ts'
import { loadHistory } from './load-history.ts'
import { makeGitRepository } from './make-git-repository.ts'
import { LiveShop } from './shop/live-shop.ts'
import { DEFAULT_SEED, makeShop, type Shop } from './shop/shop.ts'
import { oldHistoryText, runningText, shopText } from './welcome.ts'
import { writeLive } from './write-live.ts'

export type DemoOptions = {
  dataDir: string
  port?: string | undefined
  fresh: boolean
  live: boolean
  /** While the history is loaded. */
  onProgress: (records: number, of: number) => void
}

/** Later the service may have forgotten the batches that were sent before, and would store them twice. */
const RESUMABLE_MS = BATCH_MEMORY_MS - HOUR_MS

export async function runDemo({ dataDir, port, fresh, live, onProgress }: DemoOptions): Promise<void> {
  const config = demoConfig({ dataDir, port })
  const folder = config.storage.dataDir
  const state = openDemoFolder(folder, { fresh }) ?? beginDemo(folder)
  refuseOldLoad(state)
  const log = createLog(config.logLevel)
  const stopping = stopOnSignals(log)
  const app = await startApp(config, log)
  try {
    print(runningText(app))
    await openShop({ app, config, folder, state, live, onProgress, stopping })
  } catch (error) {
    if (!stopping.aborted) throw error
  } finally {
    await app.stop()
  }
  process.exit(0)
}

type Opened = Pick<DemoOptions, 'live' | 'onProgress'> & {
  app: App
  config: Config
  folder: string
  state: DemoState
  stopping: AbortSignal
}

async function openShop({ app, config, folder, state, live, onProgress, stopping }: Opened): Promise<void> {
  const save = (changes: Partial<DemoState>) => saveState(folder, Object.assign(state, changes))
  const shop = makeShop(state)
  const repositoryPath = join(folder, 'shop.git')
  await makeGitRepository(repositoryPath, shop.repository)
  await ensureProject({ config, state, save, repositoryPath })
  const doors: Doors = { origin: localOrigin(config.http.host, app.port), ...state, signal: stopping }
  await untilReady(doors)
  const isFirstLoad = state.loadedAtMs === null
  if (isFirstLoad) {
    await loadHistory(doors, shop, onProgress)
    save({ loadedAtMs: Date.now() })
  }
  const isLiveDeployAhead = live && state.liveStartMs === null
  const startMs = Date.now()
  const liveShop = new LiveShop(shop.world, state.liveStartMs ?? startMs)
  const answersPath = writeAnswers(folder, shop, liveShop)
  const { publicUrl, mcpUrl } = app
  print(shopText(state, { publicUrl, mcpUrl, answersPath, isLiveDeployAhead }))
  const old = oldHistoryText(state, startMs)
  if (old !== undefined) print(`${old}\n`)
  if (!live) {
    await once(stopping, 'abort')
    return
  }
  await writeLive(doors, liveShop, {
    // The first run continues where its history ended, so that the time that loading took leaves no gap.
    fromMs: isFirstLoad ? shop.world.nowMs : startMs,
    onDeploy: isLiveDeployAhead ? () => save({ liveStartMs: startMs }) : null,
  })
}

function beginDemo(folder: string): DemoState {
  const state: DemoState = {
    seed: DEFAULT_SEED,
    nowMs: Date.now(),
    project: null,
    ingestKey: '',
    readKey: '',
    loadedAtMs: null,
    liveStartMs: null,
    isRepositoryConnected: false,
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  saveState(folder, state)
  return state
}

function refuseOldLoad({ loadedAtMs, nowMs }: DemoState): void {
  if (loadedAtMs !== null || Date.now() - nowMs < RESUMABLE_MS) return
  throw new AppError(
    'conflict',
    'Loading the shop was interrupted a day ago or more and cannot continue. Start afresh: tidemark demo --fresh',
  )
}

function writeAnswers(folder: string, shop: Shop, liveShop: LiveShop): string {
  const path = join(folder, 'answers.json')
  writeWhole(path, [...shop.answers, liveShop.answer])
  const nearby = relative(process.cwd(), path)
  return nearby.startsWith('..') ? path : nearby
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
