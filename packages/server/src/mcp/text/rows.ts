/**
 * Records and deploys as the tools show them. One flat shape for both, told apart by `kind`: schemas with alternatives
 * break real clients.
 */
import type { Deploy, DeployCommits } from '@tidemark/wire/deploys/deploy'
import { type DeployRow, deployRow, type LogRow, logRow } from '@tidemark/wire/reading/row'
import { z } from 'zod'
import { type Detail, shortenAttributes, shortenText, wholeOrNone } from './shorten.ts'

const recordError = logRow.shape.error.unwrap()

/** Null in place of an empty id, and values of attributes of any kind: a list of their kinds would be alternatives. */
export const listedRow = z.object({
  kind: z.enum(['log', 'deploy']),
  ...deployRow.pick({ id: true, timestamp: true, environment: true, message: true }).shape,
  ...logRow.pick({ level: true, service: true }).partial().shape,
  attributes: z.record(z.string(), z.unknown()).optional(),
  traceId: logRow.shape.traceId.nullable().optional(),
  analysisId: logRow.shape.analysisId.optional(),
  error: recordError.omit({ stack: true }).optional(),
  attributesLeftOut: z.int().optional(),
  ...deployRow.pick({ sha: true, ref: true, status: true, author: true, url: true }).partial().shape,
})

export const wholeRecord = listedRow.extend({
  ...logRow.pick({ environmentDefaulted: true, host: true, logger: true, release: true }).shape,
  spanId: logRow.shape.spanId.nullable(),
  ...logRow.pick({ pattern: true, fingerprint: true, truncated: true }).shape,
  error: recordError.optional(),
})

export type ListedRow = z.infer<typeof listedRow>
export type WholeRecord = z.infer<typeof wholeRecord>

export function listRow(row: LogRow | DeployRow, detail: Detail | null): ListedRow {
  return row.kind === 'deploy' ? listDeployRow(row, detail) : listLogRow(row, detail)
}

export function listDeployRow(row: DeployRow, detail: Detail | null): ListedRow {
  const { kind, id, timestamp, environment, sha, ref, status, author } = row
  const [message, url] = [cut(row.message, detail), shortLink(row.url, detail)]
  return { kind, id, timestamp, environment, sha, ref, status, author, message, url }
}

export function listLogRow(row: LogRow, detail: Detail | null): ListedRow {
  const { kind, id, timestamp, level, environment, service, traceId, analysisId } = row
  const shortened = shortenAttributes(row.attributes, detail)
  const listed: ListedRow = {
    kind,
    id,
    timestamp,
    level,
    environment,
    service,
    message: cut(row.message, detail),
    attributes: shortened.attributes,
    traceId: traceId || null,
    analysisId,
  }
  if (shortened.dropped > 0) listed.attributesLeftOut = shortened.dropped
  if (row.error) {
    const { type, message } = row.error
    // Often the message of the record is that of the error: once is enough.
    listed.error = { type: cut(type, detail), message: message === row.message ? '' : cut(message, detail) }
  }
  return listed
}

export function showRecord(row: LogRow, detail: Detail | null): WholeRecord {
  const { environmentDefaulted, host, logger, release, spanId, pattern, fingerprint, truncated, error } = row
  const { error: _, ...listed } = listLogRow(row, detail)
  const stack = error === null ? '' : detail === null ? error.stack : shortenText(error.stack, detail.stack)
  return {
    ...listed,
    environmentDefaulted,
    host,
    logger,
    release,
    spanId: spanId || null,
    pattern,
    fingerprint,
    truncated,
    ...(error && { error: { type: cut(error.type, detail), message: cut(error.message, detail), stack } }),
  }
}

/** A deploy with nothing left out but what does not fit; of a large `metadata` only the beginning, as text. */
export function showDeploy(deploy: Deploy, detail: Detail | null): Deploy {
  if (detail === null) return deploy
  const metadata = deploy.metadata === null ? '' : JSON.stringify(deploy.metadata)
  const room = detail.attributes * 20
  return {
    ...deploy,
    message: cut(deploy.message, detail),
    url: shortLink(deploy.url, detail),
    metadata: metadata.length <= room ? deploy.metadata : { shortened: shortenText(metadata, room) },
  }
}

/** Where a row holds a sender's text. */
export const UNTRUSTED_OF_ROW = [
  'environment',
  'service',
  'message',
  'attributes',
  'traceId',
  'error',
  'sha',
  'ref',
  'author',
  'url',
] as const
export const UNTRUSTED_OF_RECORD = [...UNTRUSTED_OF_ROW.slice(0, 6), 'host', 'logger', 'release', 'spanId'] as const
export const UNTRUSTED_OF_DEPLOY = [
  'sha',
  'environment',
  'ref',
  'message',
  'author',
  'externalId',
  'url',
  'metadata',
] as const

function cut<T extends string | null>(text: T, detail: Detail | null): T {
  return text === null || detail === null ? text : (shortenText(text, detail.message) as T)
}

function shortLink(url: string | null, detail: Detail | null): string | null {
  return detail === null ? url : wholeOrNone(url, detail.message)
}

/** How many commits, paths of each, and characters of titles and of names. */
type CommitsDetail = { commits: number; paths: number; title: number; name: number }

export function showCommits({ commits, summary, ...rest }: DeployCommits, detail: CommitsDetail): DeployCommits {
  return {
    ...rest,
    summary: shortenText(summary, 3 * detail.title),
    commits: commits.slice(0, detail.commits).map((commit) => ({
      ...commit,
      title: shortenText(commit.title, detail.title),
      author: shortenText(commit.author, detail.name),
      paths: commit.paths.slice(0, detail.paths).map((path) => shortenText(path, detail.title)),
    })),
  }
}
