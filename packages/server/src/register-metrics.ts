/** What the parts of the service report in `/metrics`, by name. */
import type { ConnectionPlaces } from './connection-places.ts'
import type { Metrics } from './http/metrics.ts'
import type { Ingest } from './ingest/open.ts'
import type { ErrorAnalysis } from './jobs/analyse-errors.ts'
import type { AlertSender } from './jobs/send-alerts.ts'
import { ENGINE_STATES, type LogStore } from './logstore/log-store.ts'
import type { SyslogStats } from './syslog/server.ts'

export function registerIngestMetrics(metrics: Metrics, { accept, spool, flusher }: Ingest): void {
  metrics.counter('tidemark_ingest_records_total', 'Records acknowledged.', () => accept.stats.records)
  metrics.counter('tidemark_ingest_rejected_total', 'Records rejected with a reason.', () => accept.stats.rejected)
  metrics.counter('tidemark_ingest_bytes_total', 'Bytes taken in, after inflation.', () => accept.stats.bytes)
  metrics.counter(
    'tidemark_ingest_batches_total',
    'Requests with records that were answered.',
    () => accept.stats.batches,
  )
  metrics.gauge('tidemark_spool_bytes', 'Acknowledged bytes that the log store does not have yet.', () => spool.bytes)
  metrics.counter(
    'tidemark_flusher_loaded_records_total',
    'Records loaded into the log store.',
    () => flusher.stats.loadedRecords,
  )
  metrics.counter(
    'tidemark_flusher_loaded_segments_total',
    'Segments loaded into the log store.',
    () => flusher.stats.loadedSegments,
  )
  metrics.counter(
    'tidemark_flusher_dropped_batches_total',
    'Repeated batches that were dropped.',
    () => flusher.stats.droppedBatches,
  )
  metrics.counter(
    'tidemark_flusher_failures_total',
    'Attempts to load a segment that failed.',
    () => flusher.stats.failures,
  )
  metrics.gauge(
    'tidemark_spool_quarantined_bytes',
    'Damaged bytes of segments since the start.',
    () => flusher.stats.quarantinedBytes,
  )
}

export function registerAnalysisMetrics(metrics: Metrics, { stats }: ErrorAnalysis): void {
  metrics.counter('tidemark_analysis_errors_total', 'Errors counted into analyses.', () => stats.errors)
  metrics.counter('tidemark_analysis_segments_total', 'Segments whose errors were counted.', () => stats.segments)
  metrics.counter('tidemark_analysis_failures_total', 'Attempts to count errors that failed.', () => stats.failures)
  metrics.gauge(
    'tidemark_analysis_lag_seconds',
    'From loaded to counted, the longest of the segments counted last.',
    () => stats.lagMs / 1_000,
  )
}

export function registerAlertsMetrics(metrics: Metrics, stats: AlertSender['stats']): void {
  metrics.gauge('tidemark_alerts_queued', 'Messages to be sent or tried again, of all nodes.', () => stats.queued)
  metrics.counter('tidemark_alerts_sent_total', 'Messages that a receiver took.', () => stats.sent)
  metrics.counter('tidemark_alerts_failed_total', 'Attempts to send a message that failed.', () => stats.failed)
  metrics.counter('tidemark_alerts_given_up_total', 'Messages that failed for a day.', () => stats.givenUp)
}

export function registerLogStoreMetrics(metrics: Metrics, logStore: Pick<LogStore, 'health'>): void {
  metrics.state(
    'tidemark_engine_state',
    'State of the log store: 1 for the one it is in.',
    ENGINE_STATES,
    () => logStore.health().state,
  )
  metrics.counter(
    'tidemark_engine_restarts_total',
    'Restarts of the log engine, and starts that failed.',
    () => logStore.health().restarts,
  )
  metrics.gauge(
    'tidemark_engine_detached_parts',
    'Damaged parts the log engine put aside: records that cannot be read. Left out while unknown.',
    () => logStore.health().detachedParts,
  )
}

export function registerHttpMetrics(metrics: Metrics, stats: ConnectionPlaces['stats']): void {
  metrics.gauge('tidemark_http_connections', 'Connections that are open.', () => stats.open)
  metrics.counters(
    'tidemark_http_connections_turned_away_total',
    'Connections for which there was no room: refused, or closed while idle to make room for others.',
    'reason',
    () => ({ refused: stats.refused, idle: stats.displaced }),
  )
}

export function registerSyslogMetrics(metrics: Metrics, stats: SyslogStats): void {
  metrics.gauge(
    'tidemark_syslog_connections',
    'Connections that are open, or have left messages that wait.',
    () => stats.connections,
  )
  metrics.counter('tidemark_syslog_messages_total', 'Messages stored.', () => stats.messages)
  metrics.counter('tidemark_syslog_refused_total', 'Messages that could not be stored.', () => stats.refused)
  metrics.counters(
    'tidemark_syslog_closed_total',
    'Connections that were closed from this side: for a message without a valid key, and so on.',
    'reason',
    () => stats.closed,
  )
}
