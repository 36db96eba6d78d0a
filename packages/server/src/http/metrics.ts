import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Ingest } from '../ingest/open.ts'
import type { Log } from '../log.ts'

export type Metrics = {
  registry: Registry
  /** A value that a component keeps itself and is asked for when somebody reads the metrics. */
  gauge(name: string, help: string, read: () => number): void
  /** The same for a value that only grows. */
  counter(name: string, help: string, read: () => number): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tidemark_' })
  return {
    registry,
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
  }
}

/** Counts and times every answer, by route pattern (never by path: a stranger could make endless series), and logs it. */
export function useRequestMetrics(routes: FastifyInstance, { metrics, log }: { metrics: Metrics; log: Log }): void {
  const seconds = new Histogram({
    name: 'tidemark_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics.registry],
  })
  routes.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe(
      { method: KNOWN_METHODS.has(request.method) ? request.method : 'other', route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What comes in and how far it is from being searchable. */
export function measureIngest(metrics: Metrics, { accept, spool, flusher }: Ingest): void {
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

type AnalysisStats = { errors: number; segments: number; failures: number; lagMs: number }

export function measureAnalysis(metrics: Metrics, stats: Readonly<AnalysisStats>): void {
  metrics.counter('tidemark_analysis_errors_total', 'Errors counted into analyses.', () => stats.errors)
  metrics.counter('tidemark_analysis_segments_total', 'Segments whose errors were counted.', () => stats.segments)
  metrics.counter('tidemark_analysis_failures_total', 'Attempts to count errors that failed.', () => stats.failures)
  metrics.gauge(
    'tidemark_analysis_lag_seconds',
    'From loaded to counted, of the segment counted last.',
    () => stats.lagMs / 1_000,
  )
}
