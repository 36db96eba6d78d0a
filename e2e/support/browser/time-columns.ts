/** Times where there is little room for them: a whole year put into the answers, and what a reader would stumble over. */

import type { Page } from 'playwright-core'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'

/** Every layout of the stream: without dates, at the border, and with them. In minutes before now. */
export const RANGES_MINUTES = [5, 60, 24 * 60, 24 * 60 + 1, 7 * 24 * 60, 90 * 24 * 60]

/** A record and a deploy in each month, in whatever window is asked for. The store is not asked at all. */
export async function answerWithAYear(page: Page): Promise<void> {
  await page.route(/\/api\/projects\/[^/]+\/logs(\/count)?\?/, (route) => {
    const { searchParams } = new URL(route.request().url())
    const minutes = Number(/^-(\d+)m$/.exec(searchParams.get('from') ?? '')?.[1] ?? 60)
    const now = Date.now()
    const window = { from: new Date(now - minutes * MINUTE_MS).toISOString(), to: new Date(now).toISOString() }
    return route.fulfill({ json: { ...NOTHING, window, rows: MONTHS.flatMap((at) => [recordRow(at), deployRow(at)]) } })
  })
}

/** Of a search and of a count alike. */
const NOTHING = {
  nextCursor: null,
  total: 12,
  bucketSeconds: 60,
  buckets: [],
  groups: [],
  otherGroups: 0,
  deploys: [],
  previous: null,
  warnings: [],
  empty: null,
}

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2026, 11 - month, 28, 23, 58, 48, 888)).toISOString(),
)

const recordRow = (timestamp: string) => ({
  kind: 'log',
  id: `log_${timestamp}`,
  timestamp,
  level: 'error',
  environment: 'production',
  environmentDefaulted: false,
  service: 'shop',
  message: 'a record of its month',
  truncated: false,
  error: null,
  attributes: {},
  traceId: '',
  spanId: '',
  host: 'web-1',
  logger: '',
  release: '',
  pattern: '',
  fingerprint: null,
  analysisId: null,
})

const deployRow = (timestamp: string) => ({
  kind: 'deploy',
  id: `dep_${timestamp}`,
  timestamp,
  sha: 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678',
  environment: 'production',
  status: 'succeeded',
  ref: 'main',
  author: 'ada',
  message: 'a deploy of its month',
  url: null,
})

/** Another address of the same page, without loading it again. */
export async function goOn(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)
}

/** Times that take two lines, are wider than their column, or lie under their neighbours. */
export function brokenTimes(page: Page): Promise<string[]> {
  return page.evaluate(FIND_BROKEN_TIMES)
}

const FIND_BROKEN_TIMES = `[...document.querySelectorAll('time')].flatMap((time) => {
  const text = document.createRange()
  text.selectNodeContents(time)
  const cell = time.parentElement
  const { right, top } = time.getBoundingClientRect()
  const beside = (time.nextElementSibling ?? cell.nextElementSibling)?.getBoundingClientRect()
  const faults = [
    new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size > 1 && 'takes two lines',
    getComputedStyle(cell).display !== 'inline' && cell.scrollWidth > cell.clientWidth && 'is wider than its cell',
    beside && beside.top <= top && beside.bottom > top && beside.left < right && 'is covered',
  ]
  return faults.filter(Boolean).map((fault) => time.textContent + ' ' + fault)
})`
