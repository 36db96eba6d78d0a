import { useQuery } from '@tanstack/react-query'
import type { ProjectSettingsAnswer } from '@tidemark/wire/project'
import { retentionPreviewQuery } from '../api/projects.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { daysWords, deletionWords } from './retention-words.ts'

type ShortenProps = {
  settings: ProjectSettingsAnswer
  retentionDays: number
  isSaving: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a shorter retention deletes records, with the number of those that go. */
export function ShortenRetention({ settings, retentionDays, isSaving, error, onConfirm, onClose }: ShortenProps) {
  const preview = useQuery(retentionPreviewQuery(settings.id, retentionDays))
  return (
    <Confirm
      isOpen
      title={`Keep records for ${daysWords(retentionDays)} instead of ${settings.retentionDays}?`}
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
