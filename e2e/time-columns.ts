/** Times where there is little room for them: a whole year put into the answers, and what a reader would stumble over. */
import type { Page } from 'playwright-core'

const MINUTE_MS = 60_000
/** Every layout of the stream: without dates, at the border, and with them. In minutes before now. */
export const RANGES_MINUTES = [5, 60, 24 * 60, 24 * 60 + 1, 7 * 24 * 60, 90 * 24 * 60]

/**
 * The first rows that are found stand for all months from now on, a record and a deploy in each, in whatever window is
 * asked for. The store is asked once, however many windows follow.
 */
export async function answerWithAYear(page: Page): Promise<void> {
  const known = new Map<string, Promise<Answer>>()
  await page.route(/\/api\/projects\/[^/]+\/(logs|logs\/count)\?/, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    if (!known.has(pathname))
      known.set(
        pathname,
        route.fetch().then((response) => response.json()),
      )
    const answer = await known.get(pathname)!
    const minutes = Number(/^-(\d+)m$/.exec(searchParams.get('from') ?? '')?.[1] ?? 60)
    const now = Date.now()
    const window = { from: new Date(now - minutes * MINUTE_MS).toISOString(), to: new Date(now).toISOString() }
    const rows = answer.rows && { rows: monthsOf(answer.rows) }
    await route.fulfill({ json: { ...answer, window, ...rows } })
  })
}

type Row = { kind: string; id: string; timestamp: string }
type Answer = { rows?: Row[] }

function monthsOf(rows: Row[]): Row[] {
  const patterns = ['log', 'deploy'].flatMap((kind) => rows.find((row) => row.kind === kind) ?? [])
  return Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, 11 - month, 28, 23, 58, 48, 888)))
    .map((date) => date.toISOString())
    .flatMap((timestamp) => patterns.map((row) => ({ ...row, id: `${row.id}${timestamp}`, timestamp })))
}

/** Another address of the same page, without loading it again. */
export async function goOn(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)
}

/** Times that take two lines, are wider than their column, or lie under what stands beside them. */
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
