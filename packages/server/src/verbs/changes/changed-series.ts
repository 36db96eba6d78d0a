/** Hosts and releases that appeared, and hosts that fell silent. */
import type { Change } from '../../analysis/change/change.ts'
import { versionChanges, withoutRollOuts } from '../../analysis/change/setting-changes.ts'
import { hostChanges } from '../../analysis/change/stream-changes.ts'
import type { Slice } from '../../analysis/slices.ts'
import type { Series } from '../../logstore/questions.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { cut, FINEST_SLICE_US, stepOf } from './change-window.ts'
import type { AskedRecords } from './record-question.ts'

const MAX_HOSTS = 100
const MAX_RELEASES = 30
const MAX_SLICES = 200

/** A statement for hosts and one for releases. */
export async function changedSeries({ logs, range, filter, window, deploys, signal }: AskedRecords): Promise<Change[]> {
  const whole = { fromUs: window.base?.fromUs ?? range.fromUs, toUs: range.toUs }
  const bucketUs = Math.ceil(stepOf(whole, FINEST_SLICE_US, MAX_SLICES) / FINEST_SLICE_US) * FINEST_SLICE_US
  const series = (name: 'host' | 'release', limit: number) =>
    logs.series({ range: whole, filter, signal }, { bucketUs, field: { kind: 'core', name }, limit })
  const [hosts, releases] = await Promise.all([series('host', MAX_HOSTS), series('release', MAX_RELEASES)])
  const buckets = cut(whole, bucketUs)
  const named = hosts.largest.filter(({ value }) => value !== null && value !== '')
  const ofHosts = named.map((one) => ({ host: one.value ?? '', slices: filled(buckets, bucketUs, one.buckets) }))
  const ofReleases = releases.largest.map((one) => ({
    release: one.value ?? '',
    slices: filled(buckets, bucketUs, one.buckets),
  }))
  return [...withoutRollOuts(hostChanges(ofHosts, window), deploys), ...versionChanges(ofReleases, deploys, window)]
}

function filled(buckets: readonly TimeRange[], bucketUs: number, points: Series['others']): Slice[] {
  const counts = new Map(points.map(({ startUs, count }) => [startUs, count]))
  return buckets.map((range) => ({ ...range, count: counts.get(Math.floor(range.fromUs / bucketUs) * bucketUs) ?? 0 }))
}
