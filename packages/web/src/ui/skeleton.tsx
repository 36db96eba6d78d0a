import { classNames } from './class-names.ts'

/** A placeholder in the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-pulse rounded-[4px] bg-border', className)} />
}

export function SkeletonRows({ count = 8, className = 'h-7' }: { count?: number; className?: string }) {
  return (
    <div className="flex flex-col gap-2" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Skeleton key={index} className={className} />
      ))}
    </div>
  )
}

/** Stands for a dialog or a menu whose file is still loading: shortcuts are silent already, as they are once it is open. */
export const AWAITED = 'data-awaited'

export function Awaited() {
  return <span hidden {...{ [AWAITED]: '' }} />
}
