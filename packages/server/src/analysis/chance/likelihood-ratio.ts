/** How many of how many records have something, on one side and on the other. */
export type Shares = { count: number; total: number; baseCount: number; baseTotal: number }

/**
 * The G statistic: twice the log of how much better two shares explain the counts than one common share does. Zero when
 * they are alike. Unlike chi-square it also holds for small counts.
 */
export function likelihoodRatio({ count, total, baseCount, baseTotal }: Shares): number {
  const [having, all] = [count + baseCount, total + baseTotal]
  if (total === 0 || baseTotal === 0) return 0
  const part = (observed: number, rows: number, columns: number) =>
    observed <= 0 ? 0 : observed * Math.log((observed * all) / (rows * columns))
  const sum =
    part(count, having, total) +
    part(baseCount, having, baseTotal) +
    part(total - count, all - having, total) +
    part(baseTotal - baseCount, all - having, baseTotal)
  return Math.max(0, 2 * sum)
}

/** The same statistic for how often something comes in a time, however many other records there are. */
export function rateRatio(
  { count, baseCount }: Pick<Shares, 'count' | 'baseCount'>,
  seconds: number,
  baseSeconds: number,
): number {
  const expected = ((count + baseCount) * seconds) / (seconds + baseSeconds)
  const part = (observed: number, likely: number) => (observed === 0 ? 0 : observed * Math.log(observed / likely))
  return Math.max(0, 2 * (part(count, expected) + part(baseCount, count + baseCount - expected)))
}
