import { classNames } from '../../ui/class-names.ts'
import { AnalysesFrame, BoxPlace } from './analyses-frame.tsx'
import { COLUMNS } from './analysis-row.tsx'

const ROWS = 8
const TITLES = ['w-3/4', 'w-1/2', 'w-5/6', 'w-2/3']
const BLOCK = 'h-3 rounded-[3px] bg-border'

/** Rows in the size of the real ones, in the frame that stays. */
export function AnalysesPlaceholder({ isChoosable = false }: { isChoosable?: boolean }) {
  return (
    <AnalysesFrame box={isChoosable && <BoxPlace />}>
      <div role="status" aria-label="Loading" className="animate-pulse">
        {Array.from({ length: ROWS }, (_, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            key={index}
            className={classNames(
              'flex h-[141px] flex-col justify-center gap-2.5 border-b border-border pr-3 pl-[13px] last:border-0 lg:h-[78px] xl:h-[59px]',
              COLUMNS,
            )}
          >
            <span className={classNames(BLOCK, 'w-16')} />
            <span className="flex flex-col gap-2.5">
              <span className={classNames(BLOCK, TITLES[index % TITLES.length])} />
              <span className={classNames(BLOCK, 'w-2/5')} />
            </span>
            <span className={classNames(BLOCK, 'w-40')} />
            <span className={classNames(BLOCK, 'hidden w-full lg:block')} />
            <span className={classNames(BLOCK, 'ml-auto hidden w-8 lg:block')} />
            <span className={classNames(BLOCK, 'ml-auto hidden w-14 lg:block')} />
          </div>
        ))}
      </div>
    </AnalysesFrame>
  )
}
