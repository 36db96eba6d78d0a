import { formatCopyState } from '@tidemark/wire/copy-state'
import type { ProjectAnswer } from '@tidemark/wire/reading/project'
import { ruleView } from '@tidemark/wire/retention'
import type { Caller } from '../../model/caller.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { requireReader } from '../access.ts'
import { copyStateOf } from '../repository.ts'
import { deployView } from './deploy-view.ts'
import type { ReadingParts } from './reading-parts.ts'

/** The caller's project and what is in it. Environments and services are listed by how many records they have. */
export async function describeProject(
  { control, logStore }: ReadingParts,
  caller: Caller,
  signal?: AbortSignal,
): Promise<ProjectAnswer> {
  const { id, name, retentionDays, retentionRules } = requireReader(caller)
  const logs = logStore.project(id)
  const [places, lastUs, [lastDeploy], deployed, repository] = await Promise.all([
    logs.places(signal),
    logs.lastTimeUs(signal),
    control.deploys.list(id, { limit: 1 }),
    control.deploys.countByEnvironment(id),
    control.repositories.get(id),
  ])
  // An environment with deploys and no records yet is one that people ask for.
  const environments = [...places, ...deployed].map(({ environment }) => environment)
  return {
    id,
    name,
    environments: distinct(environments),
    services: distinct(places.map(({ service }) => service)),
    retentionDays,
    retentionRules: retentionRules.map(ruleView),
    lastLogAt: lastUs === null ? null : formatRfc3339(lastUs),
    lastDeploy: lastDeploy ? deployView(lastDeploy) : null,
    repository: repository && {
      url: repository.url,
      branch: repository.defaultBranch,
      state: formatCopyState(copyStateOf(repository)),
    },
  }
}

export function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '')
}
