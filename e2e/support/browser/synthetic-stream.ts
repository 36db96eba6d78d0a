/** Answers the page's searches with made-up rows, so that the list of the page is what is tested and not the engine. */
import type { Page } from 'playwright-core'
import type { LogRow } from '../../../packages/wire/src/reading/row.ts'
import type { SearchAnswer } from '../../../packages/wire/src/reading/search.ts'

const PAGE_ROWS = 200

/** Every row says its index as `row N`. All other requests go to the service. */
export async function answerSearches(page: Page, rows: number): Promise<void> {
  const newestMs = Date.now()
  await page.route(
    ({ pathname }) => /\/api\/projects\/[^/]+\/logs$/.test(pathname),
    (route) => {
      const first = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const end = Math.min(first + PAGE_ROWS, rows)
      const answer: SearchAnswer = {
        window: { from: new Date(newestMs - 3_600_000).toISOString(), to: new Date(newestMs).toISOString() },
        rows: Array.from({ length: end - first }, (_, at) => syntheticRow(first + at, newestMs)),
        nextCursor: end < rows ? String(end) : null,
        warnings: [],
        empty: null,
      }
      return route.fulfill({ json: answer })
    },
  )
}

function syntheticRow(index: number, newestMs: number): LogRow {
  return {
    kind: 'log',
    id: `log_${String(index).padStart(12, '0')}`,
    timestamp: new Date(newestMs - index * 30).toISOString(),
    level: index % 50 === 0 ? 'error' : 'info',
    environment: 'production',
    environmentDefaulted: false,
    service: 'orders',
    host: 'a',
    logger: '',
    release: '',
    message: `row ${index} of a long stream, with a message as long as messages usually are`,
    truncated: false,
    error: null,
    attributes: { 'http.status': 200, durationMs: index % 900 },
    traceId: '',
    spanId: '',
    pattern: 'row <number> of a long stream',
    fingerprint: null,
    analysisId: null,
  }
}
