/** Rows as compact lines for the text twin. All of it is a sender's text and belongs inside the fence. */
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import type { ListedRow, WholeRecord } from './rows.ts'

/** `2026-01-31T12:00:00.123Z error checkout production | card declined {cart=7} trace=4bf9… log_…` */
export function rowLine(row: ListedRow): string {
  return row.kind === 'deploy' ? deployLine({ ...row, deployedAt: row.timestamp }) : logLine(row)
}

/** `2026-01-31T11:58:00Z DEPLOY production succeeded 4f2a9c1d… main by ana | Fix rounding dep_…`, the hash whole */
export function deployLine(deploy: DeployFacts): string {
  const { deployedAt, environment, status, sha, ref, author, message, id } = deploy
  const head = [deployedAt, 'DEPLOY', environment, status, sha, ref, author && `by ${onOneLine(author)}`]
  return [...present(head), message && `| ${onOneLine(message)}`, id].filter(Boolean).join(' ')
}

/** The record with everything known about it, one fact per line; the stack keeps its lines. */
export function recordLines(record: WholeRecord): string[] {
  const { host, logger, release, error, spanId, environmentDefaulted } = record
  const facts = { host, logger, release, span: spanId ?? '' }
  const known = Object.entries(facts).filter(([, value]) => value !== '')
  return [
    logLine({ ...record, error: undefined }),
    ...(known.length > 0 ? [known.map(([name, value]) => `${name}=${onOneLine(value)}`).join(' ')] : []),
    ...(environmentDefaulted ? ['(the sender gave no environment; the default of the project was taken)'] : []),
    ...(error ? [`error ${errorHeadline(error.type, error.message)}`.trimEnd()] : []),
    ...(error && error.stack !== '' ? [error.stack] : []),
  ]
}

function attributeText(attributes: Record<string, unknown>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}=${onOneLine(plainText(value))}`)
  return pairs.length === 0 ? '' : `{${pairs.join(' ')}}`
}

type LogFacts = Omit<ListedRow, 'error'> & { error?: ListedRow['error'] | undefined }
type DeployFacts = {
  id: string
  sha?: string | undefined
  ref?: string | null | undefined
  author?: string | null | undefined
  deployedAt: string
  environment: string
  status?: string | undefined
  message: string | null
}

function logLine({
  timestamp,
  level,
  service,
  environment,
  message,
  attributes,
  error,
  traceId,
  id,
}: LogFacts): string {
  const kind = error && errorHeadline(onOneLine(error.type), onOneLine(error.message))
  const head = present([timestamp, level, service, environment]).join(' ')
  const tail = [
    onOneLine(message ?? ''),
    kind && `[${kind}]`,
    attributeText(attributes ?? {}),
    traceId && `trace=${onOneLine(traceId)}`,
    id,
  ]
  return `${head} | ${tail.filter(Boolean).join(' ')}`
}

function present(parts: (string | null | undefined)[]): string[] {
  return parts.filter((part): part is string => Boolean(part)).map(onOneLine)
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
