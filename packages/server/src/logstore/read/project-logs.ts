/** Reads one project's records: the answer to each question of the interface. */

import type { ClickHouseClient } from '@clickhouse/client'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ProjectLogs } from '../log-store.ts'
import { type KnownPlace, MAX_IDS, MAX_PLACES } from '../questions.ts'
import { parseLogId } from '../schema/log-id.ts'
import { listFields } from './field-list.ts'
import { NEWEST_FIRST, OF_PROJECT, readOf } from './read-connection.ts'
import { countBuckets, countGroups, countSeries, countTotal } from './read-counts.ts'
import { loadsSince, recordsOfLoads } from './read-loads.ts'
import { measureBuckets, measureGroups } from './read-measures.ts'
import { countPast } from './read-past.ts'
import { readPatternSamples, readPatterns } from './read-patterns.ts'
import { readProfiles } from './read-profiles.ts'
import { AT_TIMES, distinctTimes } from './read-range.ts'
import { readSamples } from './read-samples.ts'
import { countErrorBuckets, countErrorSpans, countRecordSpans, countServiceSpans } from './read-spans.ts'
import { readStartRecords } from './read-starts.ts'
import { countValueSpans } from './read-values.ts'
import { searchRecords } from './search-records.ts'
import { RECORD_FIELDS, type RecordFields, toStoredRecord } from './stored-record.ts'

/** Records that share their times with those asked for. */
const MAX_OF_TIMES = 100_000

export function projectLogs(client: () => ClickHouseClient, project: ProjectId): ProjectLogs {
  const read = readOf(client, project)

  return {
    async byIds(ids, signal) {
      if (ids.length > MAX_IDS) {
        throw new AppError('invalid_request', `Ask for at most ${MAX_IDS} records by id at a time.`)
      }
      const keys = ids.map(parseLogId).filter((key) => key !== null)
      if (keys.length === 0) return []
      const query = `SELECT ${RECORD_FIELDS} FROM ${OF_PROJECT} AND ${AT_TIMES} ${NEWEST_FIRST} LIMIT ${MAX_OF_TIMES}`
      const rows = await read<RecordFields>(query, { times: distinctTimes(keys) }, signal)
      const wanted = new Set(ids)
      return rows.map(toStoredRecord).filter((record) => wanted.has(record.id))
    },

    samples: (ids, signal) => readSamples(read, ids, signal),
    search: (search) => searchRecords(read, search),
    total: (selection) => countTotal(read, selection),
    pastCounts: (past, signal) => countPast(read, past, signal),
    groups: (selection, grouping) => countGroups(read, selection, grouping),
    buckets: (selection, bucketing) => countBuckets(read, selection, bucketing),
    series: (selection, question) => countSeries(read, selection, question),
    measuredGroups: (selection, question) => measureGroups(read, selection, question),
    measuredBuckets: (selection, question) => measureBuckets(read, selection, question),
    patterns: (selection, question) => readPatterns(read, selection, question),
    patternSamples: (selection, places) => readPatternSamples(read, selection, places),
    errorSpans: (spans, signal) => countErrorSpans(read, spans, signal),
    recordSpans: (spans, signal) => countRecordSpans(read, spans, signal),
    serviceSpans: (spans, signal) => countServiceSpans(read, spans, signal),
    errorBuckets: (spans, signal) => countErrorBuckets(read, spans, signal),
    profiles: (places, signal) => readProfiles(read, places, signal),
    valueSpans: (places, signal) => countValueSpans(read, places, signal),
    startRecords: (spans, signal) => readStartRecords(read, spans, signal),
    fields: (selection, listing) => listFields(read, selection, listing),

    async places(signal) {
      // No condition on the time, so that the counts per minute can answer all of it.
      const query = `SELECT environment, service, count() AS records FROM ${OF_PROJECT} GROUP BY environment, service ORDER BY records DESC, environment, service LIMIT ${MAX_PLACES}`
      const rows = await read<Omit<KnownPlace, 'count'> & { records: string }>(query, {}, signal)
      return rows.map(({ environment, service, records: count }) => ({ environment, service, count: Number(count) }))
    },

    async lastTimeUs(signal) {
      const query = `SELECT toUnixTimestamp64Micro(time) AS last FROM ${OF_PROJECT} ${NEWEST_FIRST} LIMIT 1`
      const [row] = await read<{ last: string }>(query, {}, signal)
      return row === undefined ? null : Number(row.last)
    },

    loadsSince: (timeUs, signal) => loadsSince(read, timeUs, signal),
    ofLoads: (loads, search) => recordsOfLoads(read, loads, search),
  }
}
