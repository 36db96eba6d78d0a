/** One measured number. `bar` is what it must reach, null when it is only reported. */
export type BenchResult = { name: string; value: number; unit: string; bar: number | null; holds: boolean | null }
