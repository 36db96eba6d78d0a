/**
 * Slows guessing down without locking anybody out: after some failures an account must wait before the next try, twice
 * as long each time up to a quarter of an hour, and an address may fail only a limited number of times an hour. Kept in
 * the database, so it holds on all nodes and across restarts. Accounts that do not exist are slowed down in the same
 * way.
 */
import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import { clientNetwork } from '../../connection-places.ts'
import { backOffMs } from '../../pause.ts'
import type { ControlDatabase, ControlTransaction } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { emailKey } from './input.ts'

const FREE_FAILURES = 10
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 15 * MINUTE_MS
const MAX_ADDRESS_FAILURES = 50
const ADDRESS_WINDOW_MS = HOUR_MS
/** Failures are forgotten this long after the last one. */
const FORGET_MS = DAY_MS

/** `email` is left out for links, which belong to nobody yet. */
export type SignInAttempt = { email?: string; address: string }

export type SignInThrottle = {
  /**
   * Answers 0 and counts the attempt as a failure at once, so that a thousand at the same moment are counted too; or
   * counts nothing and answers how many milliseconds to wait.
   */
  enter(attempt: SignInAttempt, nowMs: number): Promise<number>
  /** It was not a failure after all: the account's are forgotten, the address gets this one back. */
  succeeded(attempt: SignInAttempt, nowMs: number): Promise<void>
}

type FailureRow = ControlSchema['sign_in_failures']

export function createSignInThrottle({ db }: ControlDatabase): SignInThrottle {
  return {
    async enter({ email, address }, nowMs) {
      return db.transaction().execute(async (transaction) => {
        const rows: FailureRow[] = []
        if (email !== undefined) rows.push(accountRow(await locked(transaction, accountSubject(email), nowMs), nowMs))
        rows.push(addressRow(await locked(transaction, addressSubject(address), nowMs), nowMs))
        const waitMs = Math.max(...rows.map((row) => remainingWaitMs(row, nowMs)))
        if (waitMs > 0) return waitMs
        for (const { subject, failures, since } of rows) {
          await transaction
            .updateTable('sign_in_failures')
            .set({ failures: failures + 1, since, last_at: nowMs })
            .where('subject', '=', subject)
            .execute()
        }
        return 0
      })
    },

    async succeeded({ email, address }, nowMs) {
      await db
        .updateTable('sign_in_failures')
        .set((eb) => ({ failures: eb('failures', '-', 1) }))
        .where('subject', '=', addressSubject(address))
        .where('failures', '>', 0)
        .execute()
      if (email !== undefined) {
        await db.deleteFrom('sign_in_failures').where('subject', '=', accountSubject(email)).execute()
      }
      await db
        .deleteFrom('sign_in_failures')
        .where('last_at', '<', nowMs - FORGET_MS)
        .execute()
    },
  }
}

/** Others that try the same wait until this transaction ends. */
async function locked(transaction: ControlTransaction, subject: string, nowMs: number): Promise<FailureRow> {
  return transaction
    .insertInto('sign_in_failures')
    .values({ subject, failures: 0, since: nowMs, last_at: nowMs })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet((eb) => ({ subject: eb.ref('excluded.subject') })))
    .returningAll()
    .executeTakeFirstOrThrow()
}

function accountRow(row: FailureRow, nowMs: number): FailureRow {
  return nowMs - row.last_at > FORGET_MS ? { ...row, failures: 0, since: nowMs } : row
}

function addressRow(row: FailureRow, nowMs: number): FailureRow {
  return nowMs - row.since >= ADDRESS_WINDOW_MS ? { ...row, failures: 0, since: nowMs } : row
}

function remainingWaitMs({ subject, failures, since, last_at }: FailureRow, nowMs: number): number {
  if (subject.startsWith('address:')) {
    return failures < MAX_ADDRESS_FAILURES ? 0 : within(ADDRESS_WINDOW_MS, since + ADDRESS_WINDOW_MS - nowMs)
  }
  if (failures < FREE_FAILURES) return 0
  const waitMs = backOffMs(failures - FREE_FAILURES + 1, FIRST_WAIT_MS, MAX_WAIT_MS)
  return within(waitMs, last_at + waitMs - nowMs)
}

/** A clock that jumped back must not make anybody wait longer than the longest wait. */
function within(longestMs: number, waitMs: number): number {
  return Math.max(0, Math.min(longestMs, waitMs))
}

/** Hashed, because people type passwords into the wrong field. */
function accountSubject(email: string): string {
  return `account:${createHash('sha256').update(emailKey(email)).digest('hex')}`
}

export function addressSubject(address: string): string {
  return `address:${clientNetwork(address)}`
}
