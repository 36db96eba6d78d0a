/** Records as every door shows them, each with the analysis it belongs to: one question to the control store for all. */
import type { LogRow } from '@tidemark/wire/reading/row'
import { analysisId } from '../../../analysis/group/analysis-id.ts'
import { groupOfRecord } from '../../../analysis/group/group-of-record.ts'
import type { StoredRecord } from '../../../logstore/questions.ts'
import { OVERFLOW_GROUP } from '../../../model/grouping-rule.ts'
import type { ProjectId } from '../../../model/project.ts'
import { formatRfc3339 } from '../../../model/rfc3339.ts'
import type { ReadingParts } from '../reading-parts.ts'

/** Until then an error without an analysis may still get its own, and is not yet counted as overflow. */
const ANALYSED_WITHIN_MS = 30_000

export async function toLogRows(
  { control, now }: Pick<ReadingParts, 'control' | 'now'>,
  projectId: ProjectId,
  records: readonly StoredRecord[],
): Promise<LogRow[]> {
  const ids = await analysisIds({ control, now }, projectId, records)
  return records.map((record) => toLogRow(record, ids.get(record.id) ?? null))
}

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
    // Own properties, whatever their names: `__proto__` is a key like any other.
    attributes: Object.fromEntries(record.attributes),
    traceId: record.traceId,
    spanId: record.spanId,
    pattern: record.pattern,
    fingerprint: record.fingerprint,
    analysisId,
  }
}

/** Of the records that belong to an analysis that exists. */
export async function analysisIds(
  { control, now }: Pick<ReadingParts, 'control' | 'now'>,
  projectId: ProjectId,
  records: readonly StoredRecord[],
): Promise<Map<string, string>> {
  const errors = records.filter(({ fingerprint }) => fingerprint !== null)
  if (errors.length === 0) return new Map()
  const rules = await control.groupingRules.list(projectId)
  const candidates = errors.flatMap((record) => {
    const group = groupOfRecord(record, rules)
    if (group === null) return []
    return {
      recordId: record.id,
      own: analysisId(projectId, record.environment, group),
      overflow: analysisId(projectId, record.environment, OVERFLOW_GROUP),
      isSettled: now() - record.receivedMs > ANALYSED_WITHIN_MS,
    }
  })
  const wanted = new Set(candidates.flatMap(({ own, overflow }) => [own, overflow]))
  const existing = await control.analyses.existing(projectId, [...wanted])
  const found = new Map<string, string>()
  for (const { recordId, own, overflow, isSettled } of candidates) {
    if (existing.has(own)) found.set(recordId, own)
    else if (isSettled && existing.has(overflow)) found.set(recordId, overflow)
  }
  return found
}
