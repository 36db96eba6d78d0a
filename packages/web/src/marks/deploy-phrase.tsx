import type { AnalysisItem } from '@tidemark/wire/analysis'
import { shortSha } from '../text/short-sha.ts'
import { formatElapsed } from '../time/elapsed.ts'
import { DeploySource } from './deploy-source.tsx'

/** What changed before it, in a phrase: `4 min 12 s after a1b2c3d`. Nothing where nothing is known. */
export function DeployPhrase({ deploy }: { deploy: AnalysisItem['correlatedDeploy'] }) {
  if (deploy === null) return null
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 text-deploy">
      <span className="truncate">
        <span className="font-medium tabular-nums">{formatElapsed(deploy.elapsedSeconds)}</span> after{' '}
        <span className="font-mono text-small font-medium">{shortSha(deploy.sha)}</span>
      </span>
      {deploy.source === 'inferred' && <DeploySource source="inferred" />}
    </span>
  )
}
