/** The path of a batch: key, rates, quota and room are checked, bytes become rows, rows become durable, answer. */

import { createHash } from 'node:crypto'
import { BATCH_ID, BATCH_ID_IN_WORDS } from '@tidemark/wire/batch-id'
import type { IngestRefusal } from '@tidemark/wire/people/ingest-refusal'
import { freeBytes } from '../../bytes/free-bytes.ts'
import { authenticateIngest, findIngest, requireSameProject } from '../../control/keys/authenticate.ts'
import type { IngestOutcome } from '../../control/keys/ingest-counts.ts'
import type { Control } from '../../control/open.ts'
import { rulesText } from '../../control/projects/retention-rules.ts'
import { AppError, internalError } from '../../errors.ts'
import type { KeyCaller } from '../../model/caller.ts'
import { isLikeKey } from '../../model/key.ts'
import { retentionOf } from '../../model/retention.ts'
import { redactionOf } from '../../redaction/settings.ts'
import { TokenBuckets } from '../../token-buckets.ts'
import type { EncodePool } from '../encode/encode-pool.ts'
import { bytesPerSecondOf, DEFAULT_REQUESTS_PER_SECOND, LEAST_MESSAGE_BYTES, MAX_SHARED_BYTES } from '../limits.ts'
import type { ReadBatch } from '../parse/fill-batch.ts'
import { PROTOCOL_FACTS } from '../senders/protocol-facts.ts'
import { identityOf, type Sender } from '../senders/sender.ts'
import type { Spool } from '../spool/spool.ts'
import { keyOfHeaders, keysOfHeaders } from './key-of-headers.ts'
import { KnownBatches } from './known-batches.ts'
import { Quota } from './quota.ts'

/** A bucket holds this many seconds' worth, so that a sender may catch up after a pause. */
const BURST_SECONDS = 2

type IngestHeaders = Record<string, string | string[] | undefined>
export type AcceptedBatch = Pick<ReadBatch, 'protocol' | 'total' | 'rejected' | 'actions'> & { accepted: number }

type IngestStats = { batches: number; records: number; rejected: number; bytes: number }

export type Accept = {
  /** The caller, when a header carries a key: asked before the body is read. 401 and 403 are thrown. */
  authenticate(headers: IngestHeaders): Promise<KeyCaller | undefined>
  /** The same where only a header can carry a key. */
  requireKey(headers: IngestHeaders): Promise<KeyCaller>
  /** The same where no header does: a key as text, or the id of one that a certificate vouches for. */
  holderOf(key: { secret: string } | { id: string }): Promise<KeyCaller>
  /**
   * Resolves once every accepted record is on disk. On an error nothing in the batch is kept. `sender` when the body is
   * in the protocol of another sender.
   */
  batch(caller: KeyCaller | undefined, headers: IngestHeaders, body: Buffer, sender?: Sender): Promise<AcceptedBatch>
  /**
   * Counts bytes against the rate of the key that were received and became no part of a batch; at most what it may send in
   * a second, because they cost little. Otherwise a key with a low rate would never get past a large field.
   */
  owe(caller: KeyCaller, bytes: number): void
  /** Charges bytes that were received and discarded: 429 above the rate of the key. They do not use up what its logs may send. */
  discard(caller: KeyCaller, bytes: number): void
  /** Counts a body that was too large to be read to its end. */
  noteTooLarge(caller: KeyCaller | undefined): void
  /** Throws 429 while more was taken than the rate of the key allows. */
  checkDebt(caller: KeyCaller): void
  readonly stats: IngestStats
}

type Parts = {
  control: Pick<Control, 'keys' | 'usage' | 'batches' | 'ingestCounts'>
  spool: Spool
  pool: EncodePool
  now?: () => number
}

export function createAccept({ control, spool, pool, now = Date.now }: Parts): Accept {
  const rates = new TokenBuckets()
  const quota = new Quota(control.usage)
  const known = new KnownBatches(control.batches, now)
  const stats: IngestStats = { batches: 0, records: 0, rejected: 0, bytes: 0 }

  function checkRates({ keyId, project }: KeyCaller, bytes: number, nowMs: number, of: '' | 'discarded ' = ''): void {
    const requestsRate = rateOf(project.maxRequestsPerSecond ?? DEFAULT_REQUESTS_PER_SECOND)
    const waitMs = Math.max(
      rates.take(`${of}requests ${keyId}`, 1, requestsRate, nowMs),
      rates.take(`${of}bytes ${keyId}`, bytes, bytesRateOf(project), nowMs),
    )
    if (waitMs > 0) {
      throw overRate('None of this request was kept: send it again after the time in Retry-After.', waitMs)
    }
  }

  function owe({ keyId, project }: KeyCaller, bytes: number, nowMs: number): void {
    rates.owe(`bytes ${keyId}`, bytes, bytesRateOf(project), nowMs)
  }

  function note({ keyId, project }: KeyCaller, outcome: IngestOutcome, amount: number, nowMs: number): void {
    control.ingestCounts.note({ projectId: project.id, keyId }, outcome, amount, nowMs)
  }

  async function callerOfHeaders(headers: IngestHeaders): Promise<KeyCaller> {
    const [key, ...others] = keysOfHeaders(headers)
    const caller = await authenticateIngest(control.keys, key)
    for (const other of others.filter(isLikeKey)) {
      await requireSameProject(control.keys, caller, other, OTHER_HEADER_KEY)
    }
    return caller
  }

  async function take(caller: KeyCaller, sent: SentBatch): Promise<AcceptedBatch> {
    const { headers, body, contentType, contentEncoding, receivedMs, sender, headerKey } = sent
    const bytes = body.length
    const { project } = caller
    const givenId = batchIdOf(headers)
    checkRates(caller, bytes, receivedMs)
    await quota.check(project, receivedMs)
    await spool.checkSpace()

    const nameOfBytes = sender === undefined || givenId !== null ? null : nameByBytes(sender, body, contentEncoding)
    const mayBeId = givenId ?? nameOfBytes
    // A batch that comes again is judged as it was the first time: a record that was too far ahead still is.
    const first = mayBeId === null ? undefined : await known.find(project.id, mayBeId)
    const judged = first?.digest ? first : { receivedMs, ...retentionOf(project) }
    const {
      rows,
      accepted,
      days,
      errors,
      rawBytes,
      spreadBytes,
      redactions,
      digest,
      isNamedByBytes,
      bodyKey,
      ...batch
    } = await pool
      .encode({
        body,
        contentType,
        contentEncoding,
        receivedUs: judged.receivedMs * 1_000,
        projectId: project.id,
        project: { defaultEnvironment: project.defaultEnvironment, ...retentionOf(judged) },
        redaction: redactionOf(project.redaction),
        isNamed: mayBeId !== null,
        sender,
      })
      .catch((error) => {
        // It was read up to a limit, which cost as much as one that just fits.
        if (error instanceof AppError && error.code === 'body_too_large') owe(caller, MAX_SHARED_BYTES, receivedMs)
        // An unexpected error is a bug that these bytes reveal, not trouble with the disk or the database.
        throw error instanceof AppError ? error : internalError(error)
      })
    if (headerKey !== undefined && bodyKey !== null && bodyKey !== headerKey) {
      await requireSameProject(control.keys, caller, bodyKey, OTHER_BODY_KEY)
    }
    const isOfSmallMessages = sender !== undefined && PROTOCOL_FACTS[sender.protocol].isOfSmallMessages
    const owed = spreadBytes + (isOfSmallMessages ? missingBytes(batch.total, bytes) : 0)
    if (owed > 0) owe(caller, owed, receivedMs)
    const batchId = givenId ?? (isNamedByBytes ? nameOfBytes : null)
    if (accepted > 0) {
      const bytesSent = { digest, receivedMs: judged.receivedMs, ...retentionOf(judged) }
      const taken = batchId === null ? undefined : await known.take(project.id, batchId, bytesSent)
      try {
        const meta = { projectId: project.id, batchId, records: accepted, rawBytes, days, redactions, errors }
        const { retentionRules, ...sent } = bytesSent
        const rules = retentionRules && { retentionRules: rulesText(retentionRules) }
        await spool.append({ ...meta, ...sent, ...rules }, rows)
      } catch (error) {
        taken?.release()
        throw error
      } finally {
        // Written or refused: nothing reads them any more.
        freeBytes([rows])
      }
      quota.took(project, accepted)
    }
    if (accepted > 0) note(caller, 'stored', accepted, receivedMs)
    if (batch.rejected.length > 0) note(caller, 'records', batch.total - accepted, receivedMs)
    stats.batches++
    stats.records += accepted
    stats.rejected += batch.rejected.length
    stats.bytes += rawBytes
    return { ...batch, accepted }
  }

  return {
    stats,

    async authenticate(headers) {
      return keyOfHeaders(headers) === undefined ? undefined : callerOfHeaders(headers)
    },

    requireKey: callerOfHeaders,

    holderOf: (key) =>
      'secret' in key ? authenticateIngest(control.keys, key.secret) : findIngest(control.keys, key.id),

    owe(caller, bytes) {
      owe(caller, Math.min(bytes, bytesRateOf(caller.project).perSecond), now())
    },

    discard(caller, bytes) {
      checkRates(caller, bytes, now(), 'discarded ')
    },

    noteTooLarge(caller) {
      if (caller !== undefined) note(caller, 'too_large', 1, now())
    },

    checkDebt({ keyId, project }) {
      const waitMs = rates.take(`bytes ${keyId}`, 0, bytesRateOf(project), now())
      if (waitMs > 0) throw overRate('Send what was not stored again after the time in Retry-After.', waitMs)
    },

    async batch(knownCaller, headers, body, sender) {
      const receivedMs = now()
      const contentType = String(headers['content-type'] ?? '')
      const contentEncoding = String(headers['content-encoding'] ?? '')
        .trim()
        .toLowerCase()
      const caller =
        knownCaller ??
        (await authenticateIngest(
          control.keys,
          (await pool.readKey({ body, contentType, contentEncoding })) ?? undefined,
        ))
      try {
        const headerKey = knownCaller && keyOfHeaders(headers)
        return await take(caller, { headers, body, contentType, contentEncoding, receivedMs, sender, headerKey })
      } catch (error) {
        note(caller, refusalOf(error), 1, receivedMs)
        throw error
      }
    },
  }
}

type SentBatch = {
  headers: IngestHeaders
  body: Buffer
  contentType: string
  contentEncoding: string
  receivedMs: number
  sender: Sender | undefined
  /** Undefined when the key comes from the body or from a connection. */
  headerKey: string | undefined
}

const OTHER_HEADER_KEY =
  'The headers hold several keys that are not valid keys of one project. Send one header with a key, and remove the others.'
const OTHER_BODY_KEY =
  '`projectApiKey` in the body is not a valid key of the project whose key is in the header. Remove `projectApiKey` from the body, or the key from the header.'

function refusalOf(error: unknown): IngestRefusal {
  if (!(error instanceof AppError)) return 'not_stored'
  switch (error.code) {
    case 'body_too_large':
      return 'too_large'
    case 'rate_limited':
      return 'over_rate'
    case 'quota_exceeded':
      return 'over_quota'
    default:
      return error.status >= 500 ? 'not_stored' : 'malformed'
  }
}

function overRate(advice: string, waitMs: number): AppError {
  return new AppError('rate_limited', `This key sends more than its rate allows. ${advice}`, {
    retryAfterSeconds: waitMs / 1_000,
  })
}

/** The sender's name for a batch, from `X-Batch-Id` or `Idempotency-Key`: a repeated one is stored once. */
function batchIdOf(headers: IngestHeaders): string | null {
  const given = headers['x-batch-id'] ?? headers['idempotency-key']
  if (given === undefined) return null
  if (typeof given === 'string' && BATCH_ID.test(given)) return given
  throw new AppError('invalid_request', `X-Batch-Id (or Idempotency-Key) must be ${BATCH_ID_IN_WORDS}.`, {
    fields: [{ path: 'X-Batch-Id', message: `must be ${BATCH_ID_IN_WORDS}` }],
  })
}

/** Protocols without a name for a batch send it again byte for byte. Whether its records have identities is known once it was read. */
function nameByBytes(sender: Sender, body: Buffer, contentEncoding: string): string | null {
  const { protocol } = sender
  if (!PROTOCOL_FACTS[protocol].mayBeNamedByBytes(body, contentEncoding)) return null
  return `${protocol}-${createHash('sha256').update(identityOf(sender)).update(body).digest('base64url')}`
}

/** What a batch of small messages is short of what it counts as. */
function missingBytes(messages: number, bytes: number): number {
  return Math.max(0, messages * LEAST_MESSAGE_BYTES - bytes)
}

const bytesRateOf = (project: KeyCaller['project']) => rateOf(bytesPerSecondOf(project))

function rateOf(perSecond: number): { perSecond: number; burst: number } {
  return { perSecond, burst: perSecond * BURST_SECONDS }
}
