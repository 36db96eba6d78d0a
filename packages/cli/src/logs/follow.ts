/**
 * Rows as they come. The tail sends what was loaded since it said that it is ready; what it cannot know, the time
 * before that and the time without a connection, is searched for. Rows are told apart by their id, so nothing is shown
 * twice, and what could not be shown is reported.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_TAIL_LATENESS_MS } from '@tidemark/wire/limits'
import { environmentOf } from '@tidemark/wire/query/environment-of'
import { parseQuery } from '@tidemark/wire/query/parse'
import type { DeploysAnswer } from '@tidemark/wire/reading/deploys'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { oldestFirst } from '@tidemark/wire/reading/row-order'
import { isFinalEnd } from '@tidemark/wire/retryable'
import { logsCommand } from '@tidemark/wire/shell-commands'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { ask } from '../client/ask.ts'
import { ClientError } from '../client/client-error.ts'
import type { Connection } from '../client/connection.ts'
import { growingWaitMs, reasonOf } from '../client/request.ts'
import type { Row } from './format-row.ts'
import { type Filter, searchAll } from './search-pages.ts'
import type { ShownRows } from './shown-rows.ts'
import { tailEvents } from './tail-events.ts'

type Following = {
  connection: Connection
  filter: Filter
  shown: ShownRows
  /** The service's clock when following began. */
  beganMs: number
  show(rows: readonly Row[]): void
  note(text: string): void
  signal: AbortSignal
}

const MAX_CATCH_UP_ROWS = 5_000
const DEPLOYS_EVERY_MS = 5_000

/** Resolves when the signal aborts. Throws when the service refuses for good. */
export async function follow(following: Following): Promise<void> {
  const { note, signal } = following
  /** Up to here nothing is missing. */
  let completeMs = following.beganMs
  let wasConnected = false
  const startedMs = performance.now()
  const serviceNow = () => following.beganMs + (performance.now() - startedMs)
  for (let attempt = 0; !signal.aborted; attempt++) {
    const ending = new AbortController()
    const stop = AbortSignal.any([signal, ending.signal])
    let isConnected = false
    let hasCaughtUp = false
    const reason = await tailUntilEnd(following, stop, () => {
      if (wasConnected) note('connected again; what came meanwhile follows')
      isConnected = true
      wasConnected = true
      const caughtUp = catchUp(following, completeMs, stop).then(() => {
        hasCaughtUp = true
      })
      return Promise.all([caughtUp, showDeploys(following, stop)])
    }).finally(() => ending.abort())
    if (signal.aborted) return
    if (isConnected) attempt = 0
    if (hasCaughtUp) completeMs = serviceNow()
    if (isConnected || attempt === 0) note(`${reason}; connecting again`)
    await sleep(growingWaitMs(attempt), undefined, { signal }).catch(() => {})
  }
}

/** Why it ended. */
async function tailUntilEnd(
  { connection, filter, shown, show, note }: Following,
  signal: AbortSignal,
  beside: () => Promise<unknown>,
): Promise<string> {
  let failed: unknown
  const whole = new AbortController()
  try {
    for await (const event of tailEvents(connection, filter, AbortSignal.any([signal, whole.signal]))) {
      if (event.kind === 'ready') {
        beside().catch((error) => {
          failed = error
          whole.abort()
        })
      } else if (event.kind === 'logs') {
        const rows = shown.take(event.rows)
        show(rows.sort(oldestFirst))
        if (event.dropped > 0) {
          note(
            `${counted(event.dropped, 'record')} came too fast to show: narrow the query, or search without --follow`,
          )
        }
      } else if (isFinalEnd(event.code)) {
        throw new ClientError(event.code, event.message, { isFinal: true })
      } else return `the service ended the stream (${event.message})`
    }
    return 'the service ended the stream'
  } catch (error) {
    const cause = failed ?? error
    if (signal.aborted) return 'stopped'
    if (cause instanceof ClientError && cause.isFinal) throw cause
    return cause instanceof ClientError ? cause.message : `the connection was lost (${reasonOf(cause as Error)})`
  }
}

async function catchUp(
  { connection, filter, shown, show, note }: Following,
  sinceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const fromMs = Math.max(shown.completeFromMs, sinceMs - MAX_TAIL_LATENESS_MS)
  const from = new Date(fromMs).toISOString()
  const search = { ...filter, from, order: 'oldest' as const, limit: MAX_CATCH_UP_ROWS }
  const { rows, hasMore } = await searchAll(connection, search, { signal })
  // Rows of the same millisecond that were forgotten could come again.
  show(shown.take(rows.filter((row) => Date.parse(row.timestamp) >= shown.completeFromMs)))
  if (!hasMore) return
  const { query, ...named } = filter
  const rest = logsCommand(query, { oldest: true, since: rows.at(-1)?.timestamp, ...named, url: connection.url })
  note(`more than ${withCommas(MAX_CATCH_UP_ROWS)} records came meanwhile; the rest: ${rest}`)
}

async function showDeploys(following: Following, signal: AbortSignal): Promise<void> {
  const { shown, show } = following
  for (;;) {
    await sleep(DEPLOYS_EVERY_MS, undefined, { signal })
    show(shown.take(await newDeploys(following, signal)))
  }
}

/** Succeeded deploys recorded since following began, oldest first; only the environment of a query counts. */
async function newDeploys({ connection, filter, beganMs }: Following, signal: AbortSignal): Promise<DeployRow[]> {
  const parameters = { environment: filter.environment, status: 'succeeded', limit: 100 }
  const { deploys } = await ask<DeploysAnswer>(connection, '/api/deploys', parameters, { signal })
  const parsed = parseQuery(filter.query ?? '')
  const part = parsed.ok ? environmentOf(parsed.query) : undefined
  return deploys
    .filter(({ createdAt, environment }) => Date.parse(createdAt) >= beganMs && (part?.matches(environment) ?? true))
    .map(({ id, deployedAt, environment, sha, ref, status, author, message, url }) => {
      return { kind: 'deploy' as const, id, timestamp: deployedAt, environment, sha, ref, status, author, message, url }
    })
    .reverse()
}
