import { unbroken } from './unbroken.ts'

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const STEP = 1_000

/** `3.7 MB`: thousands, as disks and invoices count them. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // 999.95 would be written as 1000.0.
  while (value >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  return unbroken(`${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`)
}
