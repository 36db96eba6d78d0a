import { classNames } from '../../ui/class-names.ts'
import { LINE_PX, type Preferences, TWO_LINES_PX } from '../../ui/preferences.ts'
import { type LineView, timeColumn } from './line-view.tsx'

const MESSAGES = ['w-3/5', 'w-2/5', 'w-3/4', 'w-1/2', 'w-1/3', 'w-2/3', 'w-5/12']
const BLOCK = 'h-3 shrink-0 rounded-[3px] bg-border'

type PlaceholderProps = { view: LineView; density: Preferences['density'] }

/** Rows in the size of the real ones, down to the end of the page: as many as the window is tall, the rest is cut. */
export function StreamPlaceholder({ view: { hasDates, isNarrow }, density }: PlaceholderProps) {
  const height = (isNarrow ? TWO_LINES_PX : LINE_PX)[density]
  return (
    <div role="status" aria-label="Loading" className="h-full animate-pulse overflow-hidden">
      {Array.from({ length: Math.ceil(window.innerHeight / height) }, (_, index) => {
        const message = <span className={classNames(BLOCK, 'block', MESSAGES[index % MESSAGES.length])} />
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            key={index}
            className={classNames('flex items-center gap-3 pr-3 pl-[7px]', isNarrow && 'border-b border-border')}
            style={{ height }}
          >
            <span className="w-[3px] shrink-0 self-stretch bg-border" />
            {isNarrow ? (
              <span className="flex min-w-0 flex-1 flex-col gap-2">
                <span className={classNames(BLOCK, 'w-40')} />
                {message}
              </span>
            ) : (
              <>
                <span className={classNames(BLOCK, timeColumn(hasDates))} />
                <span className={classNames(BLOCK, 'w-3')} />
                <span className={classNames(BLOCK, 'hidden w-20 @[520px]:mr-8 @[520px]:block')} />
                <span className="min-w-0 flex-1">{message}</span>
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}
