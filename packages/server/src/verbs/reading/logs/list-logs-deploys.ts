/** The succeeded deploys of a window that come after a position on the timeline. */
import type { EnvironmentPart } from '@tidemark/wire/query/environment-of'
import type { Deploys } from '../../../control/deploys.ts'
import type { Order } from '../../../logstore/questions.ts'
import type { Deploy } from '../../../model/deploy.ts'
import type { ProjectId } from '../../../model/project.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import type { Position } from '../cursor.ts'
import type { Stretch } from './list-logs-merge.ts'

const AT_A_TIME = 500

type DeployStretch = {
  projectId: ProjectId
  range: TimeRange
  environments: EnvironmentPart
  order: Order
  after?: Position | undefined
  limit: number
}

export async function deploysBehind(deploys: Pick<Deploys, 'list'>, question: DeployStretch): Promise<Stretch<Deploy>> {
  const { limit } = question
  const rows: Deploy[] = []
  for await (const deploy of inOrder(deploys, question)) {
    rows.push(deploy)
    if (rows.length > limit) break
  }
  return { rows: rows.slice(0, limit), isEnd: rows.length <= limit }
}

async function* inOrder(
  deploys: Pick<Deploys, 'list'>,
  { projectId, range, environments, order, after }: DeployStretch,
): AsyncGenerator<Deploy> {
  const within = bounds(range, order, after)
  const [only] = environments.include?.length === 1 ? environments.include : []
  const filter = { limit: AT_A_TIME, status: 'succeeded', environment: only, order, ...within } as const
  let last = after?.kind === 'deploy' ? { ...after, deployedAtUs: after.timeUs } : undefined
  while (within.fromUs < within.toUs) {
    const page: Deploy[] = await deploys.list(projectId, { ...filter, after: last })
    for (const deploy of page) if (environments.matches(deploy.environment)) yield deploy
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
