/**
 * The deploys that may have caused some errors: those of the day before the onset in the same environment, those recorded
 * under a name that looks like it, and the correlated one however old it is; and the one with which the errors ended.
 */

import { isAlike } from '@tidemark/wire/environment-alike'
import type { Course } from '../../analysis/cause/error-course.ts'
import { timeOfEnd } from '../../analysis/cause/error-end.ts'
import { REACH_US, RECORDED_AFTER_US } from '../../analysis/cause/thresholds.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

const MAX_LISTED = 100
const MAX_CANDIDATES = 8
const MAX_ALIKE = 3

export type Candidate = { deploy: Deploy; place: 'same' | 'alike'; previous: Deploy | null }

type Deploys = ReadingParts['control']['deploys']

/** Newest first. */
export async function candidatesBefore(
  deploys: Pick<Deploys, 'list' | 'replaced' | 'latestSucceeded'>,
  projectId: ProjectId,
  moment: { environment: string; onsetUs: number; correlated: Deploy | null },
): Promise<Candidate[]> {
  const { environment, onsetUs, correlated } = moment
  const found = await deploys.list(projectId, {
    fromUs: Math.max(0, onsetUs - REACH_US),
    toUs: onsetUs + RECORDED_AFTER_US,
    limit: MAX_LISTED,
  })
  const same = found.filter((deploy) => deploy.environment === environment)
  const alike = found.filter((deploy) => deploy.environment !== environment && isAlike(deploy.environment, environment))
  const own = same.slice(0, MAX_CANDIDATES)
  if (correlated !== null && correlated.deployedAtUs <= onsetUs && !own.some(({ id }) => id === correlated.id)) {
    own.push(correlated)
  }
  const chosen = [
    ...own.map((deploy) => ({ deploy, place: 'same' as const })),
    ...alike.slice(0, MAX_ALIKE).map((deploy) => ({ deploy, place: 'alike' as const })),
  ]
  const candidates = await Promise.all(
    chosen.map(async (one) => ({ ...one, previous: await replacedDeploy(deploys, one, environment) })),
  )
  return candidates.sort((one, other) => other.deploy.deployedAtUs - one.deploy.deployedAtUs)
}

/** One that was recorded under another name replaced what ran here. */
async function replacedDeploy(
  deploys: Pick<Deploys, 'replaced' | 'latestSucceeded'>,
  { deploy, place }: Pick<Candidate, 'deploy' | 'place'>,
  environment: string,
): Promise<Deploy | null> {
  const own = await deploys.replaced(deploy)
  if (place === 'same') return own
  const here = await deploys.latestSucceeded(deploy.projectId, environment, deploy.deployedAtUs - 1)
  return here !== null && (own === null || here.deployedAtUs > own.deployedAtUs) ? here : own
}

/** The deploy with which the errors ended, or null. */
export async function endingDeploy(
  deploys: Pick<Deploys, 'list'>,
  projectId: ProjectId,
  { environment, course, nowUs }: { environment: string; course: Course; nowUs: number },
): Promise<Deploy | null> {
  const around = timeOfEnd(course, nowUs)
  if (around === null) return null
  const filter = { environment, status: 'succeeded', ...around, order: 'oldest', limit: 1 } as const
  const found = await deploys.list(projectId, filter)
  return found[0] ?? null
}
