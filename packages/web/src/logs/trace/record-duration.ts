/** How long a record says that something took, in microseconds. Without a unit in the name it is milliseconds, as loggers write. */
import type { LogRow } from '@tidemark/wire/reading/row'
import { HOUR_US } from '@tidemark/wire/time/units'

const NAMED =
  /(?:^|[._])(?:duration|elapsed|latency|took|response_?time)(?:[._]?(ns|nanos|us|micros|ms|millis|s|sec|seconds))?$/i

const MICROSECONDS: Record<string, number> = {
  ...{ ns: 1e-3, nanos: 1e-3, us: 1, micros: 1 },
  ...{ ms: 1e3, millis: 1e3, s: 1e6, sec: 1e6, seconds: 1e6 },
}

/** What takes longer is no part of one request, and would leave no room for what is. */
const MAX_US = HOUR_US

export function durationUs({ attributes }: Pick<LogRow, 'attributes'>): number | undefined {
  for (const [name, value] of Object.entries(attributes)) {
    const named = typeof value === 'number' && value > 0 ? NAMED.exec(name) : null
    const us = named ? Number(value) * (MICROSECONDS[(named[1] ?? 'ms').toLowerCase()] ?? 1e3) : 0
    if (us > 0 && us <= MAX_US) return us
  }
  return undefined
}
