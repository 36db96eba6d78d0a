import { counted } from './counted.ts'

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
const STEP = 1024

/** `3.5 MiB`, `20 MiB`: in steps of 1,024, as limits are, with at most one digit behind the point. */
export function sizeWords(bytes: number): string {
  if (bytes < STEP) return counted(bytes, 'byte')
  let value = bytes / STEP
  let unit = 0
  // 1023.95 would be written as 1024.
  while (value >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  return `${value.toFixed(1).replace('.0', '')} ${UNITS[unit]}`
}
