/** What ClickHouse says, by its number, in our words. Its text is for our log only: it quotes queries and records. */
import { ClickHouseError } from '@clickhouse/client'
import { AppError } from '../errors.ts'

type Translate = (cause: unknown) => AppError

const tooLarge: Translate = (cause) =>
  new AppError('query_too_large', 'The query needs more than it may use. Narrow the time range or add a filter.', {
    cause,
  })
const tooSlow: Translate = (cause) =>
  new AppError('query_timeout', 'The query took too long and was stopped. Narrow the time range or add a filter.', {
    cause,
  })
const corrupted: Translate = (cause) =>
  new AppError('part_corrupted', 'Some stored records in this range are damaged. Ask the operator to look.', {
    cause,
    retryAfterSeconds: 60,
  })
const badValue: Translate = (cause) =>
  new AppError('invalid_request', 'A value in the query is out of range or not of the kind asked for. Correct it.', {
    cause,
  })
const storageFull: Translate = (cause) =>
  new AppError('storage_full', 'The log store has no space left. Try again later.', { cause, retryAfterSeconds: 10 })
const restarting: Translate = (cause) =>
  new AppError('engine_restarting', 'The log store is restarting. Try again in a moment.', {
    cause,
    retryAfterSeconds: 2,
  })

/** Of a cluster: a replica, a shard or Keeper does not answer, or too few of them to be sure. */
const partAway: Translate = (cause) =>
  new AppError('unavailable', 'A part of the log store does not answer. Try again in a moment.', {
    cause,
    retryAfterSeconds: 5,
  })

const RESULT_TOO_LARGE = '396'

export const BY_CODE: Readonly<Record<string, Translate>> = {
  '241': tooLarge, // MEMORY_LIMIT_EXCEEDED
  '158': tooLarge, // TOO_MANY_ROWS
  '307': tooLarge, // TOO_MANY_BYTES
  [RESULT_TOO_LARGE]: tooLarge, // TOO_MANY_ROWS_OR_BYTES
  '159': tooSlow, // TIMEOUT_EXCEEDED
  '160': tooSlow, // TOO_SLOW
  '394': tooSlow, // QUERY_WAS_CANCELLED
  '427': (cause) =>
    new AppError('invalid_request', 'The regular expression is not valid RE2 or too large. Simplify it.', { cause }),
  '53': badValue, // TYPE_MISMATCH
  '457': badValue, // BAD_QUERY_PARAMETER
  '243': storageFull, // NOT_ENOUGH_SPACE
  '252': (cause) =>
    new AppError('unavailable', 'The log store is merging. Try again in a moment.', { cause, retryAfterSeconds: 5 }),
  '40': corrupted, // CHECKSUM_DOESNT_MATCH
  '246': corrupted, // CORRUPTED_DATA
  '202': (cause) => new AppError('query_queue_full', 'Too many queries are waiting. Try again in a moment.', { cause }),
  '236': restarting, // ABORTED: the engine is going down
  '198': partAway, // DNS_ERROR: a server that is away may have no name
  '209': partAway, // SOCKET_TIMEOUT
  '210': partAway, // NETWORK_ERROR
  '225': partAway, // NO_ZOOKEEPER
  '242': partAway, // TABLE_IS_READ_ONLY: the replica has lost Keeper
  '254': partAway, // NO_ACTIVE_REPLICAS
  '279': partAway, // ALL_CONNECTION_TRIES_FAILED: a whole shard
  '285': partAway, // TOO_FEW_LIVE_REPLICAS
  '286': partAway, // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '319': partAway, // UNKNOWN_STATUS_OF_INSERT: loaded again under the same token
  '341': partAway, // UNFINISHED: a replica that is away will carry it out
  '369': partAway, // ALL_REPLICAS_ARE_STALE
  '999': partAway, // KEEPER_EXCEPTION
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ClickHouseError) return (BY_CODE[error.code] ?? ourFault)(error)
  return isTransport(error) ? restarting(error) : ourFault(error)
}

/** More bytes or rows than one answer may hold; fewer may fit. */
export function isResultTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof ClickHouseError && error.cause.code === RESULT_TOO_LARGE
}

/** Runs a driver call; what it throws becomes an AppError. */
export async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toAppError(error)
  }
}

/** Any other number means that we wrote a bad query. */
function ourFault(cause: unknown): AppError {
  return new AppError('internal', 'The log store could not answer. The operator finds the reason in the log.', {
    cause,
  })
}

/** The connection itself failed: Node gives those a text code; the client's own timeout is a bare Error. */
function isTransport(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return typeof (error as NodeJS.ErrnoException).code === 'string' || error.constructor === Error
}
