import { Skeleton } from '../../ui/skeleton.tsx'

const ROWS = ['w-1/2', 'w-2/3', 'w-2/5', 'w-3/5', 'w-1/2', 'w-3/4', 'w-2/5', 'w-2/3']

/** Rows in the size of the real ones, in the frame that stays: two lines where there is room, four where there is not. */
export function DeploysPlaceholder() {
  return (
    <div role="status" aria-label="Loading" className="overflow-hidden rounded-control border border-border bg-surface">
      {ROWS.map((width, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          key={at}
          className="flex h-[105px] flex-col justify-center gap-3 border-b border-border px-3 last:border-0 xl:h-[58px] xl:gap-2.5"
        >
          <Skeleton className="h-3 w-40 xl:hidden" />
          <Skeleton className={`h-3 ${width}`} />
          <Skeleton className="h-3 w-1/3" />
        </div>
      ))}
    </div>
  )
}
