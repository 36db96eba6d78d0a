const HEIGHT = 20
/** What is there must be seen. */
const MIN_HEIGHT = 1.5

/** Counts over time, small enough for a row. Without an axis: it says whether something rises, not how much. */
export function Sparkline({ counts, label, width = 96 }: { counts: readonly number[]; label: string; width?: number }) {
  const top = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length)
  const gap = step > 3 ? 1 : 0
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={label} className="block shrink-0">
      <line x1={0} x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-border" />
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(MIN_HEIGHT, (count / top) * (HEIGHT - 2))
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a span of time never change their order
            key={index}
            x={index * step}
            width={Math.max(0.5, step - gap)}
            y={HEIGHT - 1 - height}
            height={height}
            className="fill-muted"
          />
        )
      })}
    </svg>
  )
}
