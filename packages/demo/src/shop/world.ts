import { makeDeploys, runningAt, type ShopDeploy } from './deploys.ts'
import { type Moment, momentMs } from './moment.ts'
import { type Commit, makeRepository, type Repository } from './repository/repository.ts'

/** The state before anybody logs anything: the code, and what was deployed when. */
export type World = {
  seed: number
  nowMs: number
  /** Records begin with the first deploy to production: before it nothing ran there. */
  openedMs: number
  repository: Repository
  /** Oldest first. */
  deploys: readonly ShopDeploy[]
}

/** As much of it as ordinary traffic needs. */
export type Ground = { deploys: readonly ShopDeploy[]; repository: Pick<Repository, 'commit'> }

export function makeWorld({ seed, nowMs }: { seed: number; nowMs: number }): World {
  const repository = makeRepository(nowMs)
  const deploys = makeDeploys(repository, { seed, nowMs })
  const openedMs = deploys.find(({ body }) => body.environment === 'production')?.atMs ?? nowMs
  return { seed, nowMs, openedMs, repository, deploys }
}

export function timeOf({ nowMs }: World, moment: Moment): number {
  return momentMs(moment, nowMs)
}

/** The code that runs in an environment at a time. */
export function codeAt({ deploys, repository }: Ground, environment: string, timeMs: number): Commit {
  const deploy = runningAt(deploys, environment, timeMs)
  if (!deploy) throw new Error(`Nothing runs in ${environment} at ${new Date(timeMs).toISOString()}.`)
  return repository.commit(deploy.body.sha)
}

/** The first deploy of a release to an environment, whatever became of it. */
export function deployOf({ deploys }: World, release: string, environment = 'production'): ShopDeploy {
  const deploy = deploys.find((one) => one.release === release && one.body.environment === environment)
  if (!deploy) throw new Error(`The release ${release} was never deployed to ${environment}.`)
  return deploy
}
