import type { LogRow } from '@tidemark/wire/reading'
import type { StoredRecord } from '../../logstore/log-store.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'

/** A record as every door shows it. */
export function toLogRow(record: StoredRecord, analysisId: string | null): LogRow {
  return {
    kind: 'log',
    id: record.id,
    timestamp: formatRfc3339(record.timeUs),
    level: record.level,
    environment: record.environment,
    environmentDefaulted: record.environmentDefaulted,
    service: record.service,
    host: record.host,
    logger: record.logger,
    release: record.release,
    message: record.message,
    truncated: record.truncated,
    error: record.error,
    // Own properties, whatever their names: `__proto__` is a key like others.
    attributes: Object.fromEntries(record.attributes),
    traceId: record.traceId,
    spanId: record.spanId,
    pattern: record.pattern,
    fingerprint: record.fingerprint,
    analysisId,
  }
}
