/** One measured number. `bar` is what it must reach, null when it is only reported. */
export type BenchResult = { name: string; value: number; unit: string; bar: number | null; holds: boolean | null }

/** With a bar: what must not be exceeded. */
export function figure(name: string, value: number, unit: string, bar: number | null = null): BenchResult {
  return { name, value, unit, bar, holds: bar === null ? null : value <= bar }
}

/** With a bar: what must be reached. */
export function reached(name: string, value: number, unit: string, bar: number | null): BenchResult {
  return { name, value, unit, bar, holds: bar === null ? null : value >= bar }
}

/** A share in per cent. With a bar: what must be reached. Of nothing there is no share, and no bar. */
export function share(name: string, right: number, of: number, bar: number | null = null): BenchResult {
  return reached(`${name} (${right} of ${of})`, of === 0 ? 0 : (right / of) * 100, '%', of === 0 ? null : bar)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Of an even number of values, what lies between the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = Math.floor(sorted.length / 2)
  const lower = Math.floor((sorted.length - 1) / 2)
  return ((sorted[lower] ?? 0) + (sorted[upper] ?? 0)) / 2
}

/** The number after an option of the command line. */
export function numberAfter(args: readonly string[], option: string): number | undefined {
  return numbersAfter(args, option)?.[0]
}

export function numbersAfter(args: readonly string[], option: string): number[] | undefined {
  return textAfter(args, option)?.split(',').map(Number)
}

export function textAfter(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option)
  return at === -1 ? undefined : args[at + 1]
}
