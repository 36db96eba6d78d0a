import type { CorrelatedDeploy } from '@tidemark/wire/analyses/analysis'
import { classNames } from '../ui/class-names.ts'

/** Solid for a deploy that was recorded, dashed for one that was inferred: the same difference as in a chart. */
export function DeploySource({ source }: { source: CorrelatedDeploy['source'] }) {
  const isRecorded = source === 'recorded'
  return (
    <span
      className={classNames(
        'inline-flex h-[18px] shrink-0 items-center rounded-[4px] border border-deploy px-1.5 text-tiny font-medium text-deploy',
        isRecorded ? 'bg-deploy-surface' : 'border-dashed',
      )}
    >
      {isRecorded ? 'Recorded' : 'Inferred'}
    </span>
  )
}
