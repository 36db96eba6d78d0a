/**
 * What one record, one request, one key and the disk may hold. What happens at each limit is stated beside it. What a body
 * inflates to, and what its JSON may hold, is in `bytes/limits.ts`.
 */
import type { ProjectSettings } from '../model/project.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** A request as sent, before inflation. Above it the rest is not received, and the request is refused with 413. */
export const MAX_SENT_BYTES = 20 * MIB

/** More records in one request are refused with 413. */
export const MAX_RECORDS = 50_000

/** What is sent once and stored with many records, counted with each but the first. More is refused with 413. */
export const MAX_SHARED_BYTES = 40 * MIB
/** The rows of a request: twice the largest body and some. More is refused with 413. */
export const MAX_ROW_BYTES = 48 * MIB

/** A record that passes one of these is rejected. */
export const MAX_KEY_BYTES = 128
export const MAX_ATTRIBUTE_DEPTH = 8

/** Per ingest key, unless its project says otherwise. Above it a request is refused with 429 and none of it stored. */
export const DEFAULT_BYTES_PER_SECOND = 200_000_000
export const DEFAULT_REQUESTS_PER_SECOND = 1_000

export function bytesPerSecondOf({ maxBytesPerSecond }: Pick<ProjectSettings, 'maxBytesPerSecond'>): number {
  return maxBytesPerSecond ?? DEFAULT_BYTES_PER_SECOND
}

/** What may wait to be loaded: bytes or a share of the disk, whichever is less. Above it requests get 503. */
export const MAX_SPOOL_BYTES = 1024 * MIB
export const MAX_SPOOL_SHARE = 0.1

/** What stays free on the disk: bytes or a share of it, whichever is more, up to the larger share. Below it requests get 503. */
export const MIN_FREE_BYTES = 512 * MIB
export const MIN_FREE_SHARE = 0.02
export const MAX_FREE_SHARE = 0.25

/** One syslog message. A longer one is passed over and counted: cut, it could hold half a secret that no rule knows. */
export const MAX_SYSLOG_MESSAGE_BYTES = 64 * KIB
/**
 * A batch of messages, or of entries of a journal, that are smaller counts as this much for each in the rate of its key: a
 * record costs what it costs.
 */
export const LEAST_MESSAGE_BYTES = 128

/**
 * An entry of a journal that is larger, with all that is left out of it, is none: the upload is refused with 400. It is
 * what systemd's own receiver takes.
 */
export const MAX_JOURNAL_ENTRY_BYTES = 1024 * MIB

/**
 * Uploads of journals at once, and what is in memory of them. One more of all is refused with 503, one of a project or a
 * key with 429, and one for which there is no room with 503.
 */
export const JOURNAL_UPLOAD_LIMITS = {
  all: { uploads: 500, bytes: 128 * MIB },
  project: { uploads: 100, bytes: 32 * MIB },
  key: { uploads: 20, bytes: 32 * MIB },
}
