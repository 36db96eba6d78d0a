/**
 * Weeks of work as they go by: what was committed, what was deployed where, and what then ran on which host. Cases are
 * told one after the other, each in its own part of the time, so that commits and deploys come in the order of time.
 */

import { makeDeploy, type ShopDeploy } from '../../../packages/demo/src/shop/deploys.ts'
import { Random } from '../../../packages/demo/src/shop/random.ts'
import type { Commit } from '../../../packages/demo/src/shop/repository/repository.ts'
import type { ServiceName } from '../../../packages/demo/src/shop/services.ts'
import type { Span } from '../../../packages/demo/src/shop/traffic.ts'
import type { DeployStatus } from '../../../packages/wire/src/deploys/deploy-status.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { FUNCTIONS, type ShopFunction } from './code/functions.ts'
import { importedFiles } from './code/imported-files.ts'
import type { Change } from './history/change.ts'
import { commitAll } from './history/commit-all.ts'
import { everydayChange, neighbourChange } from './history/everyday-changes.ts'
import { GitHistory } from './history/git-history.ts'
import type { Rollout } from './running.ts'
import type { SettingChange } from './settings.ts'

const IMPORTED_BEFORE_MS = 5 * DAY_MS
/** Commits are at most this much older than the deploy that ships them. */
const WORK_MS = 8 * HOUR_MS
const FIRST_RUN = 9_000
const STAGING_SHARE = 0.4

type Shipment = {
  atMs: number
  /** Commits that do no harm. */
  innocent?: number
  /** Made somewhere among the innocent ones. */
  guilty?: Change
  /** One of the innocent commits touches this function's file, but not the function. */
  near?: ShopFunction | undefined
  /** The innocent commits stay within these. */
  services?: readonly ServiceName[]
  /** As it is recorded; `runsIn` is where it really runs. */
  environment?: string
  runsIn?: 'production' | 'staging'
  status?: DeployStatus
  /** Whether it went to staging first. */
  staging?: boolean
  /** When it is recorded: as the first host gets it, or after the last. */
  recorded?: 'first' | 'last'
}

type Shipped = { deploy: ShopDeploy; guilty: Commit | null }

export class Story {
  readonly random: Random
  readonly history: GitHistory
  readonly deploys: ShopDeploy[] = []
  readonly rollouts: Rollout[] = []
  readonly settingChanges: SettingChange[] = []
  /** When all of the traffic is several times as much. */
  readonly surges: (Span & { times: number })[] = []
  readonly openedMs: number
  readonly nowMs: number
  /** The part of the time that the current case has for its deploys. */
  slot: Span
  #free: ShopFunction[]
  #committedMs: number
  #pending: Change[] = []

  constructor({ seed, nowMs, openedMs }: { seed: number; nowMs: number; openedMs: number }) {
    this.random = new Random(seed, 'whodunit')
    this.nowMs = nowMs
    this.openedMs = openedMs
    this.slot = { fromMs: openedMs, toMs: nowMs }
    this.#free = this.shuffled(FUNCTIONS)
    this.#committedMs = openedMs - IMPORTED_BEFORE_MS
    this.history = new GitHistory(importedFiles(), this.#committedMs)
  }

  /** The first deploys, of what was imported. */
  open(): void {
    this.redeploy(this.history.tip.sha, { atMs: this.openedMs, environment: 'staging' })
    this.redeploy(this.history.tip.sha, { atMs: this.openedMs })
  }

  /** A function that no other case has. */
  take(isWanted: (of: ShopFunction) => boolean = () => true): ShopFunction {
    const at = this.#free.findIndex(isWanted)
    const [of] = at === -1 ? [] : this.#free.splice(at, 1)
    if (!of) throw new Error('All functions of this kind are taken.')
    return of
  }

  /** A moment of the slot: 0 is its begin, 1 its end. */
  at(share: number): number {
    const { fromMs, toMs } = this.slot
    return fromMs + share * (toMs - fromMs)
  }

  /** Comes with the next shipment, whatever that is for. */
  later(change: Change): void {
    this.#pending.push(change)
  }

  ship(shipment: Shipment): Shipped {
    const { random } = this
    const { guilty, near, services, runsIn = 'production', status = 'succeeded' } = shipment
    const { innocent = random.between(2, 6), staging = random.chance(STAGING_SHARE), recorded = 'first' } = shipment
    const atMs = wholeSecond(shipment.atMs)
    const leadMs = staging ? Math.min(random.between(12, 50) * MINUTE_MS, (atMs - this.#committedMs) / 2) : 0
    const changes = [...this.#pending, ...this.#innocents(innocent, near, services)]
    this.#pending = []
    const place = changes.length < 2 ? changes.length : random.between(1, changes.length - 1)
    if (guilty) changes.splice(place, 0, guilty)
    const toMs = atMs - leadMs - random.between(40, 90) * 1_000
    const fromMs = Math.max(this.#committedMs, toMs - WORK_MS)
    const made = commitAll(this.history, random, changes, { fromMs, toMs })
    this.#committedMs = Math.max(fromMs, toMs)
    const head = this.history.tip
    if (staging) this.#record(head, { atMs: wholeSecond(atMs - leadMs), environment: 'staging', runsIn: 'staging' })
    const environment = shipment.environment ?? runsIn
    const deploy = this.#record(head, { atMs, environment, runsIn, status, recorded })
    return { deploy, guilty: guilty ? (made.get(guilty) ?? null) : null }
  }

  /** Each of them changes something, whatever those before it did. */
  #innocents(count: number, near: ShopFunction | undefined, services: readonly ServiceName[] | undefined): Change[] {
    const { random } = this
    const files = new Map(this.history.tip.files)
    for (const { apply } of this.#pending) apply(files)
    const nearAt = near === undefined ? -1 : random.below(count)
    return Array.from({ length: count }, (_, at) => {
      const change = near && at === nearAt ? neighbourChange(random, near) : everydayChange(random, files, services)
      change.apply(files)
      return change
    })
  }

  /** Deploys what there is already: an older sha, or the same to another environment. */
  redeploy(sha: string, given: { atMs: number; environment?: 'production' | 'staging'; message?: string }): ShopDeploy {
    const { environment = 'production', message } = given
    const atMs = wholeSecond(given.atMs)
    const words = message === undefined ? {} : { message }
    return this.#record(this.history.commit(sha), { atMs, environment, runsIn: environment, ...words })
  }

  /** Oldest first, and what is recorded later stays out. */
  running(environment: string, atMs: number): ShopDeploy | undefined {
    return this.deploys
      .filter(({ body }) => body.environment === environment && body.status === 'succeeded')
      .findLast((deploy) => deploy.atMs <= atMs)
  }

  #record(
    head: Commit,
    given: {
      atMs: number
      environment: string
      runsIn: 'production' | 'staging'
      status?: DeployStatus
      recorded?: 'first' | 'last'
      message?: string
    },
  ): ShopDeploy {
    const { atMs, environment, runsIn, status = 'succeeded', recorded = 'first', message } = given
    const deploy = makeDeploy(head, {
      release: head.sha.slice(0, 7),
      atMs,
      environment,
      status,
      run: FIRST_RUN + this.deploys.length,
      ref: 'main',
      ...(message === undefined ? {} : { message }),
    })
    this.deploys.push(deploy)
    const takesMs = this.random.between(0, 240) * 1_000
    const fromMs = recorded === 'first' ? atMs : atMs - takesMs - 30_000
    if (status === 'succeeded') this.rollouts.push({ runsIn, fromMs, takesMs, commit: head })
    return deploy
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, order: this.random.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ value }) => value)
  }
}

function wholeSecond(timeMs: number): number {
  return Math.floor(timeMs / 1_000) * 1_000
}
