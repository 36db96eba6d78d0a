/** A service with a project and a witness that loads it, for tests that damage it and then check what is left. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './processes.ts'
import { type Service, startService, tidemark } from './service.ts'
import { settled } from './settled.ts'
import { type Verdict, Witness } from './witness.ts'

type Options = {
  connections?: number
  recordsPerBatch?: number
  /** Between two batches of a connection: over many faults, an engine that is mostly down must be able to catch up. */
  pauseMs?: number
  withBatchIds?: boolean
  dataDir?: string
}

export class Trial {
  readonly dataDir: string
  readonly witness: Witness
  readonly #projectId: string
  service: Service

  private constructor(
    service: Service,
    projectId: string,
    ingestKey: string,
    { recordsPerBatch = 20, pauseMs = 0, withBatchIds = true }: Options,
  ) {
    this.service = service
    this.dataDir = service.dataDir
    this.#projectId = projectId
    this.witness = new Witness({ url: () => this.service.url, ingestKey, recordsPerBatch, pauseMs, withBatchIds })
  }

  static async begin(options: Options = {}): Promise<Trial> {
    const service = await startService({ dataDir: options.dataDir ?? temporaryFolder() })
    const { project, ingestKey } = (
      await tidemark(['project', 'create', 'trial', '--json'], { dataDir: service.dataDir })
    ).json()
    const trial = new Trial(service, project.id, ingestKey, options)
    onTestFinished(() => trial.witness.abandon())
    trial.witness.start(options.connections ?? 4)
    return trial
  }

  get enginePid(): number {
    return Number.parseInt(readFileSync(join(this.dataDir, 'engine/engine.pid'), 'utf8'), 10)
  }

  killEngine(signal: NodeJS.Signals = 'SIGKILL'): void {
    try {
      process.kill(this.enginePid, signal)
    } catch {
      // Between two engines there is none.
    }
  }

  async restart(): Promise<void> {
    this.service = await startService({ dataDir: this.dataDir, until: 'listening' })
  }

  /** Waits until the engine answers again, so that the next fault hits a working one. */
  async engineReady(): Promise<void> {
    for (;;) {
      const response = await fetch(`${this.service.url}/readyz`).catch(() => undefined)
      await response?.arrayBuffer()
      if (response?.ok) return
      await sleep(50)
    }
  }

  /** Ends the load, waits until everything acknowledged is loaded, and compares. */
  async verdict(): Promise<Verdict> {
    await this.witness.stop()
    await settled(this.service)
    return this.witness.verdict(this.dataDir, this.#projectId)
  }
}

export const NO_HARM = { lost: 0, doubled: 0, partial: 0 }
