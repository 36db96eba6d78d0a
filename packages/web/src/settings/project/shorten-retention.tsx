import { useQuery } from '@tanstack/react-query'
import type { ProjectSettingsAnswer, RetentionPreviewAnswer } from '@tidemark/wire/project'
import { counted } from '@tidemark/wire/text/counted'
import { retentionPreviewQuery } from '../../api/projects.ts'
import { formatDay } from '../../time/format-time.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type ShortenProps = {
  settings: ProjectSettingsAnswer
  retentionDays: number
  isSaving: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a shorter retention deletes records, with how many. */
export function ShortenRetention({ settings, retentionDays, isSaving, error, onConfirm, onClose }: ShortenProps) {
  const preview = useQuery(retentionPreviewQuery(settings.id, retentionDays))
  return (
    <Confirm
      isOpen
      title={`Keep records for ${counted(retentionDays, 'day')} instead of ${settings.retentionDays}?`}
      action={preview.data?.records === 0 ? 'Save' : 'Delete and save'}
      isBusy={preview.isPending || isSaving}
      error={error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {preview.isPending ? (
        <div role="status" aria-label="Counting the records that go" className="flex flex-col gap-1.5 py-0.5">
          <Skeleton className="h-4" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ) : (
        <p role="status" className="min-h-10 tabular-nums">
          {deletionWords(retentionDays, preview.data ?? preview.error)}
        </p>
      )}
    </Confirm>
  )
}

/** What a shorter retention does: from the service's count, or from the reason that there is none. */
export function deletionWords(days: number, preview: RetentionPreviewAnswer | Error): string {
  const kept = counted(days, 'day')
  if (preview instanceof Error) {
    return `The records that go could not be counted. ${preview.message} Everything older than ${kept} is deleted within the hour all the same. This can't be undone.`
  }
  // Retention ends with a UTC day, whichever zone the reader is in.
  const before = `${formatDay(preview.keptSince, 'utc').replace(/^0/, '')} ${preview.keptSince.slice(0, 4)} (UTC)`
  if (preview.records === 0) return `No record is from before ${before}, so nothing is deleted now.`
  return `${kept} deletes ${counted(preview.records, 'record')} from before ${before} within the hour. This can't be undone.`
}
