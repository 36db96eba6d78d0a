/**
 * The deploy that an analysis is correlated with, looked up again for every answer (Invariant 12): nothing is kept, so a
 * deploy that arrives late, changes or fails is right at once. Whatever is cached is cached for one answer only.
 */
import { HOUR_US } from '@tidemark/wire/time/units'
import {
  type CommitFound,
  type Correlation,
  correlationOf,
  type ErrorMoment,
} from '../../analysis/cause/correlation.ts'
import { type Analysis, currentEpisode } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { commitAtTime } from './commit-at-time.ts'
import { unlessAway } from './unless-away.ts'
import { NOT_READ } from './unread-repository.ts'

/** Failed and cancelled deploys this long before an error are worth a look. */
const FAILED_BEFORE_US = HOUR_US
const MAX_DEPLOYS_BEFORE = 100

export type Correlator = {
  of(moment: ErrorMoment): Promise<Correlation>
  /** Failed and cancelled, in the same environment, within the hour before; newest first. */
  failedBefore(moment: ErrorMoment): Promise<Deploy[]>
}

export function createCorrelator(
  { control: { deploys }, repository }: Pick<ReadingParts, 'control' | 'repository'>,
  projectId: ProjectId,
): Correlator {
  const counts = once(() => deploys.countByEnvironment(projectId))
  const firsts = new Map<string, Promise<Deploy | null>>()

  async function first(environment: string): Promise<Deploy | null> {
    const filter = { environment, status: 'succeeded', order: 'oldest', limit: 1 } as const
    const [deploy = null] = await deploys.list(projectId, filter)
    return deploy
  }

  /** A copy that cannot be read right now is a reason like any other, and does not keep us from answering. */
  async function commitUnlessAway(atUs: number): Promise<CommitFound> {
    const asked = commitAtTime(repository, projectId, atUs).then((found) => ({ found }))
    const answer = await unlessAway(asked, undefined)
    return answer === null ? { reason: NOT_READ.reason } : answer.found
  }

  return {
    async of(moment) {
      const { environment, anchorUs } = moment
      const deploy = await deploys.latestSucceeded(projectId, environment, anchorUs)
      if (deploy !== null)
        return correlationOf(moment, { deploy, commit: null, deploysByEnvironment: [], firstDeploy: null })
      if (!firsts.has(environment)) firsts.set(environment, first(environment))
      const [commit, deploysByEnvironment, firstDeploy] = await Promise.all([
        commitUnlessAway(anchorUs),
        counts(),
        firsts.get(environment) ?? null,
      ])
      return correlationOf(moment, { deploy: null, commit, deploysByEnvironment, firstDeploy })
    },

    async failedBefore({ environment, anchorUs }) {
      const filter = { environment, fromUs: Math.max(0, anchorUs - FAILED_BEFORE_US), toUs: anchorUs + 1 }
      const found = await deploys.list(projectId, { ...filter, limit: MAX_DEPLOYS_BEFORE })
      return found.filter(({ status }) => status !== 'succeeded')
    },
  }
}

export function momentOf(analysis: Analysis): ErrorMoment {
  return { environment: analysis.environment, anchorUs: currentEpisode(analysis).anchorUs }
}

function once<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asked: Promise<Result> | undefined
  return () => {
    asked ??= ask()
    return asked
  }
}
