import { LEVEL_WORDS, LEVELS, type Level } from '../level.ts'

/**
 * The level a sender meant, or null when it is not understood; the caller then uses `info` and keeps what was sent.
 *
 * Numbers, also as text: 0–7 are syslog severities (0 emergency … 7 debug) and 10 upward are pino's and bunyan's tens
 * (10 trace … 60 fatal), a number in between counting as the ten below it. 8 and 9 mean nothing to either. OpenTelemetry's
 * 1–24 overlap both, so they are read by `levelOfSeverityNumber`, and only where the field's name says so.
 */
export function levelOfSent(value: unknown): Level | null {
  if (typeof value === 'string') {
    const known = LEVEL_WORDS.get(value) ?? LEVEL_WORDS.get(value.trim().toLowerCase())
    if (known !== undefined) return known
    return /^\s*\d{1,3}\s*$/.test(value) ? levelOfNumber(Number(value)) : null
  }
  return typeof value === 'number' ? levelOfNumber(value) : null
}

/** 1–24, as a number or in digits. */
export function levelOfSeverityNumber(value: unknown): Level | null {
  const severity = typeof value === 'string' ? Number(value) : typeof value === 'number' ? value : 0
  return severity >= 1 && severity <= 24 ? LEVELS[Math.floor((severity - 1) / 4)]! : null
}

function levelOfNumber(value: number): Level | null {
  if (value >= 0 && value <= 7) return SYSLOG[Math.floor(value)]!
  if (value >= 10 && value < 1_000) return LEVELS[Math.min(Math.floor(value / 10), 6) - 1]!
  return null
}

const SYSLOG: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug']
