/** The services that stopped logging, environment by environment. */
import { fieldNamed } from '@tidemark/wire/query/fields'
import type { SilentService } from '@tidemark/wire/reading/overview'
import { SILENCE_SLICE_US } from '@tidemark/wire/reading/silence'
import { DAY_US } from '@tidemark/wire/time/units'
import { type LongSilence, longSilenceOf } from '../../analysis/silence/long-silence.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { logFilter } from '../reading/log-filter.ts'
import { MAX_ENVIRONMENTS } from '../reading/reading-parts.ts'

/** Two nights, so that what is silent at night is known to be. */
const HISTORY_US = 2 * DAY_US
const MAX_SERVICES = 200
/** With as many, some may be missing. */
export const MAX_TOLD = 100
const SERVICE = fieldNamed('service')

export async function silentServices(
  logs: Pick<ProjectLogs, 'series' | 'places'>,
  {
    environment,
    untilUs,
    signal,
  }: { environment: string | undefined; untilUs: number; signal: AbortSignal | undefined },
): Promise<SilentService[]> {
  const environments = environment === undefined ? await busiest(logs, signal) : [environment]
  const range = { fromUs: Math.max(0, untilUs - HISTORY_US), toUs: untilUs }
  const found = await Promise.all(
    environments.map(async (place) => {
      const { query: filter } = logFilter({ environment: place })
      const question = { bucketUs: SILENCE_SLICE_US, field: SERVICE, limit: MAX_SERVICES }
      const { largest } = await logs.series({ range, filter, signal }, question)
      return largest.flatMap(({ value, buckets }) => {
        const startsUs = buckets.map(({ startUs }) => startUs).sort((a, b) => a - b)
        const silence =
          value === null || value === '' ? null : longSilenceOf({ startsUs, sliceUs: SILENCE_SLICE_US, nowUs: untilUs })
        return silence === null || value === null ? [] : [viewOf(value, place, silence, untilUs)]
      })
    }),
  )
  return found
    .flat()
    .sort((a, b) => b.silentSeconds - a.silentSeconds || (a.service < b.service ? -1 : 1))
    .slice(0, MAX_TOLD)
}

/** Of all that is kept: an environment that has stopped logging has no records in any window of today. */
async function busiest(logs: Pick<ProjectLogs, 'places'>, signal: AbortSignal | undefined): Promise<string[]> {
  const places = await logs.places(signal)
  return [...new Set(places.map(({ environment }) => environment))].slice(0, MAX_ENVIRONMENTS)
}

function viewOf(
  service: string,
  environment: string,
  { sinceUs, longestGapUs }: LongSilence,
  nowUs: number,
): SilentService {
  return {
    service,
    environment,
    lastSeen: formatRfc3339(sinceUs),
    silentSeconds: Math.floor((nowUs - sinceUs) / 1e6),
    longestGapSeconds: Math.floor(longestGapUs / 1e6),
  }
}
