import { zoneName } from '../time/format-time.ts'
import { classNames } from '../ui/class-names.ts'
import { changePreferences, usePreferences } from '../ui/preferences.ts'

/** Every time on every page, in UTC or in the reader's zone. */
export function ZoneSwitch() {
  const { zone } = usePreferences()
  const isUtc = zone === 'utc'
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isUtc}
      title="UTC or your zone (u)"
      onClick={() => changePreferences({ zone: isUtc ? 'local' : 'utc' })}
      className="flex h-control w-full items-center gap-2 rounded-[4px] px-2 text-left hover:bg-hover"
    >
      Times in UTC
      <span className="ml-auto text-tiny text-faint" aria-hidden="true">
        your zone is {zoneName(new Date().toISOString(), 'local')}
      </span>
      <span
        aria-hidden="true"
        className={classNames(
          'flex h-4 w-7 shrink-0 items-center rounded-full border p-0.5 transition-colors duration-[120ms]',
          isUtc ? 'justify-end border-accent bg-accent' : 'border-faint',
        )}
      >
        <span className={classNames('size-2.5 rounded-full', isUtc ? 'bg-on-accent' : 'bg-faint')} />
      </span>
    </button>
  )
}
