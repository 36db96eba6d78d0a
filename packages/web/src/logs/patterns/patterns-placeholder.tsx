import { classNames } from '../../ui/class-names.ts'
import type { Preferences } from '../../ui/preferences.ts'
import { COLUMN } from './pattern-row.tsx'

const ROWS = 40
const PATTERNS = ['w-2/5', 'w-1/2', 'w-1/3', 'w-3/5', 'w-1/4', 'w-5/12', 'w-1/2']
const BLOCK = 'h-3 rounded-[3px] bg-border'

type PlaceholderProps = { isNarrow: boolean; hasBase: boolean; density: Preferences['density'] }

/** Rows in the size of the real ones, down to the end of the page. */
export function PatternsPlaceholder({ isNarrow, hasBase, density }: PlaceholderProps) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className={classNames('h-full animate-pulse overflow-hidden', !isNarrow && 'pt-6')}
    >
      {Array.from({ length: ROWS }, (_, index) => {
        const words = <span className={classNames(BLOCK, 'block', PATTERNS[index % PATTERNS.length])} />
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            key={index}
            className={classNames(
              'flex gap-3 pr-3 pl-[7px]',
              isNarrow ? 'h-[55px] border-b border-border' : density === 'roomy' ? 'h-8' : 'h-7',
            )}
          >
            <span className="w-[3px] shrink-0 self-stretch bg-border" />
            {isNarrow ? (
              <span className="flex min-w-0 flex-1 flex-col justify-center gap-2.5">
                <span className={classNames(BLOCK, 'block w-40')} />
                {words}
              </span>
            ) : (
              <span className="flex min-w-0 flex-1 items-center gap-3">
                {hasBase && <span className={COLUMN.state} />}
                <span className={classNames(BLOCK, COLUMN.count)} />
                {hasBase && <span className={classNames(BLOCK, COLUMN.before)} />}
                <span className={classNames(BLOCK, COLUMN.share)} />
                <span className={classNames(BLOCK, COLUMN.trend)} />
                <span className={classNames(BLOCK, COLUMN.level)} />
                <span className={classNames(BLOCK, COLUMN.service)} />
                <span className="min-w-0 flex-1">{words}</span>
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}
