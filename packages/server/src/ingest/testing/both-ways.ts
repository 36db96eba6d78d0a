/** A body encoded the fast way and the plain way. */
import type { Retention } from '@tidemark/wire/retention'
import { expect } from 'vitest'
import { AppError } from '../../errors.ts'
import { NO_REDACTION_CHANGES, type RedactionSettings } from '../../redaction/settings.ts'
import { type EncodedBatch, encodeBatch } from '../encode/encode-batch.ts'
import { RECEIVED_US } from './read-body.ts'

type Sent = {
  type?: string
  encoding?: string
  redaction?: RedactionSettings
  receivedUs?: number
  projectId?: string
  project?: { defaultEnvironment: string } & Retention
  /** Records get running numbers. A document that turns out to be broken is read twice, so usually only lines do. */
  isNumbered?: boolean
}

function encode(body: Uint8Array, fast: boolean, sent: Sent): EncodedBatch | { error: AppError } {
  let number = 0
  const sequence = { next: () => ({ hi: 1, lo: number++ }) }
  try {
    return encodeBatch(
      {
        body,
        contentType: sent.type ?? 'application/x-ndjson',
        contentEncoding: sent.encoding ?? '',
        receivedUs: sent.receivedUs ?? RECEIVED_US,
        projectId: sent.projectId ?? 'prj_one',
        project: sent.project ?? { defaultEnvironment: 'production', retentionDays: 30 },
        redaction: sent.redaction ?? NO_REDACTION_CHANGES,
        isNamed: true,
      },
      (sent.isNumbered ?? sent.type === undefined) ? sequence : { next: () => ({ hi: 0, lo: 0 }) },
      { fast },
    )
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}

/** Rows, counts, rejections and errors are the same. Returns how many records were accepted. */
export function expectSame(body: string | Uint8Array, sent: Sent = {}): number {
  return encodedSame(body, sent)?.accepted ?? 0
}

/** The same with all that became of the body; null when it was refused. */
export function encodedSame(body: string | Uint8Array, sent: Sent = {}): EncodedBatch | null {
  const encoded = bothWays(body, sent)
  return 'error' in encoded ? null : encoded
}

/** The same of a body that is refused. */
export function refusedSame(body: string | Uint8Array, sent: Sent = {}): AppError {
  const encoded = bothWays(body, sent)
  if (!('error' in encoded)) throw new Error(`${encoded.accepted} records were accepted`)
  return encoded.error
}

function bothWays(body: string | Uint8Array, sent: Sent): EncodedBatch | { error: AppError } {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const [fast, plain] = [encode(bytes, true, sent), encode(bytes, false, sent)]
  if ('error' in plain || 'error' in fast) {
    expect('error' in fast && [fast.error.code, fast.error.message, fast.error.fields]).toEqual(
      'error' in plain && [plain.error.code, plain.error.message, plain.error.fields],
    )
    return fast
  }
  const { rows, ...told } = fast
  const { rows: plainRows, ...plainTold } = plain
  expect(told).toEqual(plainTold)
  if (Buffer.compare(rows, plainRows) !== 0)
    expect(Buffer.from(rows).toString('latin1')).toBe(Buffer.from(plainRows).toString('latin1'))
  return fast
}
