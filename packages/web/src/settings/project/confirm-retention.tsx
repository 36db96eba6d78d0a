import { useQuery } from '@tanstack/react-query'
import type { ProjectSettingsAnswer, RetentionPreviewAnswer, RetentionPreviewInput } from '@tidemark/wire/project'
import { type Retention, type RetentionRule, retentionWords, ruleSubject } from '@tidemark/wire/retention'
import { counted } from '@tidemark/wire/text/counted'
import { retentionPreviewQuery } from '../../api/projects.ts'
import { formatDay } from '../../time/format-time.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type ConfirmRetentionProps = {
  settings: ProjectSettingsAnswer
  /** As they will be sent: records are counted by what is stored otherwise. */
  changes: RetentionPreviewInput
  retention: { retentionDays: number; retentionRules: readonly RetentionRule[] }
  isSaving: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before another retention deletes records, with how many. */
export function ConfirmRetention({
  settings,
  changes,
  retention,
  isSaving,
  error,
  onConfirm,
  onClose,
}: ConfirmRetentionProps) {
  const preview = useQuery(retentionPreviewQuery(settings.id, changes))
  return (
    <Confirm
      isOpen
      title={titleOf(settings, retention)}
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
        <div role="status" className="flex min-h-10 flex-col gap-2 tabular-nums">
          {deletionWords(retention, preview.data ?? preview.error).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
    </Confirm>
  )
}

function titleOf(settings: ProjectSettingsAnswer, { retentionDays, retentionRules = [] }: Retention): string {
  const areOtherRules = JSON.stringify(retentionRules) !== JSON.stringify(settings.retentionRules)
  if (areOtherRules) return 'Change how long records are kept?'
  return `Keep records for ${counted(retentionDays, 'day')} instead of ${settings.retentionDays}?`
}

/** What another retention does, in sentences: from the service's count, or from the reason that there is none. */
export function deletionWords(retention: Retention, preview: RetentionPreviewAnswer | Error): string[] {
  const kept = `Records are kept for ${retentionWords(retention)}.`
  if (preview instanceof Error) {
    return [
      kept,
      `The records that go could not be counted. ${preview.message} Everything older is deleted within the hour all the same. This can't be undone.`,
    ]
  }
  const going = preview.past.filter(({ records }) => records > 0)
  if (going.length === 0) return [kept, 'No record is older, so nothing is deleted now.']
  const parts = going.map(({ rule, keptSince, records }) => {
    const of = rule === null ? '' : ` (${ruleSubject(rule)})`
    return `${counted(records, 'record')}${of} from before ${dayOf(keptSince)}`
  })
  return [kept, `This deletes ${parts.join(' and ')} within the hour. This can't be undone.`]
}

/** Retention ends with a UTC day, whichever zone the reader is in. */
function dayOf(keptSince: string): string {
  return `${formatDay(keptSince, 'utc').replace(/^0/, '')} ${keptSince.slice(0, 4)} (UTC)`
}
