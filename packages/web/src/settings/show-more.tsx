import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'

type ShowMoreProps = {
  of: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>
  label?: string
}

/** Below a list that has further pages. */
export function ShowMore({
  of: { hasNextPage, fetchNextPage, isFetchingNextPage },
  label = 'Show more',
}: ShowMoreProps) {
  if (!hasNextPage) return null
  return (
    <div className="mt-3">
      <Button onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
        {label}
      </Button>
    </div>
  )
}
