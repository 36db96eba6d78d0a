import { counted } from '@tidemark/wire/text/counted'
import { formatClock } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences } from '../../ui/preferences.ts'
import type { GroupsState } from './use-groups.ts'

/** How many groups there are, and when they were counted: they are not live. */
export function GroupsStatus({ groups: { fresh, isBusy, found } }: { groups: GroupsState }) {
  const { zone } = usePreferences()
  const clock = formatClock(new Date(found.dataUpdatedAt).toISOString(), zone).split('.')[0]
  const total =
    fresh && `${counted(fresh.groups.length + fresh.otherGroups, 'group')} in ${counted(fresh.total, 'record')}`
  return (
    <>
      <span role="status" className="min-w-0 truncate">
        {total}
      </span>
      <span className={classNames('ml-auto', !isBusy && 'hidden @[520px]:inline')}>
        {isBusy ? 'Counting' : fresh && `Counted at ${clock}`}
      </span>
    </>
  )
}
