/** The deploys of the shop as `POST /v1/deploys` takes them, and what was running where at any time. */
import type { DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import { momentMs } from './moment.ts'
import { Random } from './random.ts'
import { LIVE_RELEASE, RELEASES } from './releases.ts'
import type { Commit, Repository } from './repository/repository.ts'

export type ShopDeploy = {
  /** Not sent: which release of the story it shipped. */
  release: string
  atMs: number
  body: {
    sha: string
    environment: string
    deployedAt: string
    status: DeployStatus
    ref: string
    author: string
    message: string
    externalId: string
    url: string
    metadata: Record<string, unknown>
  }
}

const FIRST_RUN = 4_100

/** Oldest first. */
export function makeDeploys(repository: Repository, { seed, nowMs }: { seed: number; nowMs: number }): ShopDeploy[] {
  const random = new Random(seed, 'deploys')
  return RELEASES.flatMap((release) => release.deploys.map((deploy) => ({ release, deploy })))
    .map(({ release, deploy }) => ({ release, deploy, atMs: momentMs(deploy.at, nowMs) + random.below(50) * 1_000 }))
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ release, deploy, atMs }, at) => {
      const { environment, status, backTo, note } = deploy
      const head = repository.headOf(backTo ?? release.name)
      const isHotfix = release.deploys.length === 1 && environment === 'production'
      return makeDeploy(head, {
        release: backTo ?? release.name,
        atMs,
        environment,
        status,
        run: FIRST_RUN + at,
        ref: isHotfix ? `hotfix/${release.name}` : 'main',
        ...(backTo === undefined ? {} : { message: `Roll back to ${head.sha.slice(0, 7)}` }),
        ...(note === undefined ? {} : { note }),
      })
    })
}

/** Shipped by the live writer while the demo runs. */
export function liveDeploy(repository: Repository, atMs: number): ShopDeploy {
  const head = repository.headOf(LIVE_RELEASE)
  return makeDeploy(head, {
    release: LIVE_RELEASE,
    atMs,
    environment: 'production',
    status: 'succeeded',
    run: FIRST_RUN + 900,
    ref: 'main',
  })
}

/** The deploy that the correlation rule names: the latest that succeeded in exactly this environment. */
export function runningAt(deploys: readonly ShopDeploy[], environment: string, timeMs: number): ShopDeploy | undefined {
  return deploys.findLast(
    ({ atMs, body }) => atMs <= timeMs && body.environment === environment && body.status === 'succeeded',
  )
}

/** A deploy of a commit, as it is sent. */
export function makeDeploy(
  { sha, author, message }: Commit,
  given: {
    release: string
    atMs: number
    environment: string
    status: DeployStatus
    run: number
    ref: string
    message?: string
    note?: string
  },
): ShopDeploy {
  const { release, atMs, environment, status, run, ref, note } = given
  return {
    release,
    atMs,
    body: {
      sha,
      environment,
      deployedAt: new Date(atMs).toISOString().replace(/\.\d+/, ''),
      status,
      ref,
      author: author.name,
      message: (given.message ?? message).trimEnd(),
      externalId: `shop-run-${run}`,
      url: `https://ci.example/shop/runs/${run}`,
      metadata: { pipeline: 'release', run, ...(note === undefined ? {} : { note }) },
    },
  }
}
