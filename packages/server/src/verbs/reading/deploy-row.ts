import type { DeployRow } from '@tidemark/wire/reading'
import type { Deploy } from '../../model/deploy.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'

/** A deploy where it stands among records. */
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
