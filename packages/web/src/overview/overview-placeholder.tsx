import { Skeleton } from '../ui/skeleton.tsx'

/** In the size of what comes. */
export function OverviewPlaceholder() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-5">
      <Skeleton className="h-[26px] w-[min(480px,80%)]" />
      <Skeleton className="h-[88px] max-lg:h-[176px]" />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="flex flex-col gap-5">
          <Skeleton className="h-[360px]" />
          <Skeleton className="h-[220px]" />
        </div>
        <div className="flex flex-col gap-5">
          <Skeleton className="h-[96px]" />
          <Skeleton className="h-[320px]" />
        </div>
      </div>
    </div>
  )
}
