/** The succeeded deploys of a window that stand behind a position of the timeline. */
import type { EnvironmentPart } from '@tidemark/wire/query/environment-of'
import type { Deploys } from '../control/deploys.ts'
import type { Order, TimeRange } from '../logstore/log-store.ts'
import type { Deploy } from '../model/deploy.ts'
import type { ProjectId } from '../model/project.ts'
import type { Position } from './cursor.ts'
import type { Stretch } from './search-logs-merge.ts'

const AT_A_TIME = 500

export type DeployStretch = {
  projectId: ProjectId
  range: TimeRange
  environments: EnvironmentPart
  order: Order
  after?: Position | undefined
  limit: number
}

export async function deploysBehind(deploys: Pick<Deploys, 'list'>, question: DeployStretch): Promise<Stretch<Deploy>> {
  const { order, limit } = question
  const rows: Deploy[] = []
  for await (const deploy of newestFirst(deploys, question)) {
    rows.push(deploy)
    // The store knows newest first only; the oldest are the last of them, so all others pass by.
    if (order === 'newest' && rows.length > limit) break
    if (order === 'oldest' && rows.length > limit + 1) rows.shift()
  }
  const isEnd = rows.length <= limit
  if (order === 'newest') return { rows: rows.slice(0, limit), isEnd }
  return { rows: rows.reverse().slice(0, limit), isEnd }
}

async function* newestFirst(
  deploys: Pick<Deploys, 'list'>,
  { projectId, range, environments, order, after }: DeployStretch,
): AsyncGenerator<Deploy> {
  const within = bounds(range, order, after)
  const [only] = environments.include?.length === 1 ? environments.include : []
  const filter = { limit: AT_A_TIME, status: 'succeeded', environment: only, ...within } as const
  let last = order === 'newest' && after?.kind === 'deploy' ? { ...after, deployedAtUs: after.timeUs } : undefined
  while (within.fromUs < within.toUs) {
    const page: Deploy[] = await deploys.list(projectId, { ...filter, after: last })
    for (const deploy of page) {
      if (order === 'oldest' && after?.kind === 'deploy' && !isLater(deploy, after)) return
      if (environments.matches(deploy.environment)) yield deploy
    }
    const end = page.at(-1)
    if (end === undefined || page.length < AT_A_TIME) return
    last = { kind: 'deploy', timeUs: end.deployedAtUs, ...end }
  }
}

/** At a record's own time the deploys are earlier than it: newest first still to come, oldest first already given. */
function bounds({ fromUs, toUs }: TimeRange, order: Order, after: Position | undefined): TimeRange {
  if (after === undefined) return { fromUs, toUs }
  if (order === 'newest') return { fromUs, toUs: Math.min(toUs, after.timeUs + 1) }
  return { fromUs: Math.max(fromUs, after.kind === 'log' ? after.timeUs + 1 : after.timeUs), toUs }
}

function isLater(deploy: Deploy, position: Position & { kind: 'deploy' }): boolean {
  if (deploy.deployedAtUs !== position.timeUs) return deploy.deployedAtUs > position.timeUs
  if (deploy.createdAt !== position.createdAt) return deploy.createdAt > position.createdAt
  return deploy.id > position.id
}
