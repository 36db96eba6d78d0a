/** What is there must be seen. */
const MIN_HEIGHT = 1.5

/** In a row a deploy is a tick above the bars: whole lines in many rows would be a fence in front of them. */
const TICK_HEIGHT = 5
const LARGEST_OF_A_ROW = 24
const UNFINISHED_OPACITY = 0.6

type SparklineProps = {
  counts: readonly number[]
  label: string
  width?: number
  height?: number
  /** The colour of the bars. */
  fill?: string
  /** Where deploys were: 0 is the beginning, 1 the end. */
  deploys?: readonly number[]
  /** The last part is not over: paler, and without the line below it, so that it does not read as an end. */
  isLastUnfinished?: boolean
}

/** Counts over time, small enough for a row. Without an axis: it says whether something rises, not how much. */
export function Sparkline(props: SparklineProps) {
  const {
    counts,
    label,
    width = 96,
    height: tall = 20,
    fill = 'fill-muted',
    deploys = [],
    isLastUnfinished = false,
  } = props
  const top = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length)
  const gap = step > 3 ? 1 : 0
  return (
    <svg width={width} height={tall} role="img" aria-label={label} className="block shrink-0">
      <line
        x1={0}
        x2={isLastUnfinished ? width - step : width}
        y1={tall - 0.5}
        y2={tall - 0.5}
        className="stroke-border"
      />
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(MIN_HEIGHT, (count / top) * (tall - 2))
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a span of time never change their order
            key={index}
            x={index * step}
            width={Math.max(0.5, step - gap)}
            y={tall - 1 - height}
            height={height}
            opacity={isLastUnfinished && index === counts.length - 1 ? UNFINISHED_OPACITY : 1}
            className={fill}
          />
        )
      })}
      {deploys.map((at) => (
        <rect
          key={at}
          x={Math.min(Math.max(at * width - 0.5, 0), width - 1)}
          width={1}
          height={tall > LARGEST_OF_A_ROW ? tall : TICK_HEIGHT}
          className="fill-deploy"
        />
      ))}
    </svg>
  )
}
