import { withCommas } from '@tidemark/wire/text/counted'
import { shortCount } from '../text/short-count.ts'

/** The scale of a chart in one number: how many the highest bar holds. Above the bars, over the lines of deploys. */
export function TopCount({ count, top }: { count: number; top: number }) {
  return (
    <span
      title={`The highest bar is ${withCommas(count)}`}
      style={{ top }}
      className="pointer-events-none absolute left-0.5 rounded-[2px] bg-surface px-0.5 text-tiny leading-[14px] text-faint tabular-nums"
    >
      {shortCount(count)}
    </span>
  )
}
