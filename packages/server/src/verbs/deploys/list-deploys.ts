/** Deploys of every status, newest first, each with its verdict. */
import type { DeploysAnswer, DeploysInput } from '@tidemark/wire/reading/deploys'
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import type { Caller } from '../../model/caller.ts'
import type { ProjectId } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { requireReader } from '../access.ts'
import type { CursorScope, Position } from '../reading/cursor.ts'
import { deployView } from '../reading/deploy-view.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { EVER, resolveUnlimited, usedWindow, windowParts } from '../reading/window.ts'
import { judgeDeploys } from './judge-deploys.ts'

export async function listDeploys(
  parts: ReadingParts,
  caller: Caller,
  input: DeploysInput,
  signal?: AbortSignal,
): Promise<DeploysAnswer> {
  const { control, cursors, now } = parts
  const project = requireReader(caller)
  const { limit = DEFAULT_LIMIT, status, sha, environment } = input
  const scope: CursorScope = { projectId: project.id, question: ['deploys', status, sha, environment] }
  const cursor = input.cursor === undefined ? undefined : cursors.open(input.cursor, scope)
  // Deploys are few and outlive the records, so without a `from` all of them are meant.
  const { fromUs, toUs } =
    cursor ?? (await resolveUnlimited(input, windowParts({ control, now }, project), { defaultFrom: EVER }))
  const filter = { status, sha, environment, fromUs, toUs }
  const found = await control.deploys.list(project.id, { ...filter, limit: limit + 1, after: deployAt(cursor?.after) })
  const deploys = found.slice(0, limit)
  const judgements = await judgeDeploys(parts, project, deploys, signal)
  const last = deploys.at(-1)
  const after: Position | undefined = last && {
    kind: 'deploy',
    timeUs: last.deployedAtUs,
    id: last.id,
    createdAt: last.createdAt,
  }
  return {
    window: usedWindow({ fromUs, toUs }),
    deploys: deploys.map((deploy) => {
      const { verdict, lists } = judgements.of(deploy)
      return { ...deployView(deploy), ...verdict, introduced: lists.introduced.length }
    }),
    nextCursor: after && found.length > limit ? cursors.seal({ fromUs, toUs, after }, scope) : null,
    warnings: judgements.warnings,
    empty: last ? null : cursor ? 'There are no more deploys.' : await whyNoDeploys(control, project.id),
  }
}

function deployAt(position: Position | undefined) {
  if (position?.kind !== 'deploy') return undefined
  return { deployedAtUs: position.timeUs, id: position.id, createdAt: position.createdAt }
}

async function whyNoDeploys({ deploys }: ReadingParts['control'], projectId: ProjectId): Promise<string> {
  const [latest] = await deploys.list(projectId, { limit: 1 })
  if (latest === undefined)
    return 'No deploy was recorded yet. Send them to /v1/deploys, or with `tidemark deploy` in CI.'
  const when = formatRfc3339(latest.deployedAtUs)
  return `No deploy matches. The latest one is from ${when}, in ${JSON.stringify(latest.environment)}, ${latest.status}.`
}
