import { afterAll } from 'vitest'
import type { Verdict } from '../support/service/witness.ts'

type Row = Partial<Verdict> & { fault: string; times: number; note?: string }

const rows: Row[] = []

/** One line of the table that the file prints at its end. */
export function report(row: Row): void {
  rows.push(row)
}

/** How often a fault is repeated; `FAULT_TIMES` makes a run shorter or longer. */
export function times(preset: number): number {
  return Number(process.env.FAULT_TIMES ?? preset)
}

afterAll(() => console.table(rows))
