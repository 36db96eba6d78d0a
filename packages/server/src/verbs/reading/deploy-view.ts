import { deployPage, projectPath } from '@tidemark/wire/dashboard/address'
import type { Deploy as DeployView } from '@tidemark/wire/deploys/deploy'
import type { DeployRow } from '@tidemark/wire/reading/row'
import type { Deploy } from '../../model/deploy.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'

/** A deploy as every door shows it. */
export function deployView({ projectId: _, deployedAtUs, ...deploy }: Deploy): DeployView {
  const { id, sha, environment, ...rest } = deploy
  return { id, sha, environment, deployedAt: formatRfc3339(deployedAtUs), ...rest }
}

/** Where people see it. */
export function deployUrl(publicUrl: string, { projectId, id }: Deploy): string {
  return `${publicUrl}${projectPath(projectId, deployPage(id))}`
}

/** A deploy as it appears among records. */
export function toDeployRow({
  id,
  deployedAtUs,
  environment,
  sha,
  ref,
  status,
  author,
  message,
  url,
}: Deploy): DeployRow {
  return {
    kind: 'deploy',
    id,
    timestamp: formatRfc3339(deployedAtUs),
    environment,
    sha,
    ref,
    status,
    author,
    message,
    url,
  }
}
