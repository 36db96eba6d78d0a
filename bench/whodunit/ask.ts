/** What the service says about each incident, in its list and in its detail. */

import type { AnalysesAnswer, AnalysisAnswer } from '../../packages/wire/src/analyses/analysis.ts'
import { ANALYSIS_STATES } from '../../packages/wire/src/analyses/analysis-state.ts'
import type { LogRow } from '../../packages/wire/src/reading/row.ts'
import { askApi, type Filled } from '../query/ask.ts'
import type { CaseAnswer } from './weeks/answers.ts'

/** The demo's incidents have kinds of their own. */
export type Truth = Omit<CaseAnswer, 'kind'> & { kind: string }
type Item = AnalysesAnswer['analyses'][number]
type Detail = AnalysisAnswer['analysis']
/** Null when there is no analysis of it. A service that does not answer a field yet leaves it out. */
export type Exam = { truth: Truth; item: Partial<Item> | null; detail: Partial<Detail> | null }

const NEAR_MS = 1_000
const PAGE = 200
/** At once: fewer than a read key may have under way. */
const READERS = 4

export async function examine(service: Filled, truths: readonly Truth[]): Promise<Exam[]> {
  const items = await allItems(service)
  const exams = new Map<Truth, Exam>()
  const waiting = [...truths]
  const reader = async () => {
    for (let truth = waiting.shift(); truth !== undefined; truth = waiting.shift()) {
      const item = items.get((await analysisIdOf(service, truth)) ?? '') ?? null
      const detail = item && ((await askApi(service, `/api/analyses/${item.id}`)) as AnalysisAnswer).analysis
      exams.set(truth, { truth, item, detail })
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return truths.flatMap((truth) => exams.get(truth) ?? [])
}

async function allItems(service: Filled): Promise<Map<string, Item>> {
  const items = new Map<string, Item>()
  for (const state of ANALYSIS_STATES) {
    let cursor: string | null = null
    do {
      const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const path = `/api/analyses?from=-30d&state=${state}&limit=${PAGE}${next}`
      const page = (await askApi(service, path)) as AnalysesAnswer
      for (const item of page.analyses) items.set(item.id, item)
      cursor = page.nextCursor
    } while (cursor !== null)
  }
  return items
}

/** Of the error with which the episode began. Its message may be said by others, its trace is its own. */
async function analysisIdOf(service: Filled, { traceId, firstErrorAt }: Truth): Promise<string | null> {
  const atMs = Date.parse(firstErrorAt)
  const [from, to] = [atMs - NEAR_MS, atMs + NEAR_MS].map((timeMs) => new Date(timeMs).toISOString())
  const path = `/api/logs?traceId=${traceId}&from=${from}&to=${to}`
  const { rows } = (await askApi(service, path)) as { rows: { kind: string }[] }
  const logs = rows.filter((row): row is LogRow => row.kind === 'log')
  return logs.find(({ timestamp, analysisId }) => analysisId && Date.parse(timestamp) === atMs)?.analysisId ?? null
}
