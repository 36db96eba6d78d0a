/**
 * How long questions take over HTTP and MCP, each beside the bare SQL that answers the same question, on the same
 * engine in the same run, in turns. `--records N,N` (default a million and ten million), `--rounds N`,
 * `--busy N` records a second beside the questions (20,000).
 */

import type { SearchAnswer } from '../../packages/wire/src/reading/search.ts'
import { withCommas } from '../../packages/wire/src/text/counted.ts'
import { ndjsonBodies } from '../benchmark-records.ts'
import { type BenchResult, figure, numberAfter, numbersAfter } from '../result.ts'
import { comparison, sideBySide, summary, type Times, timed } from '../side-by-side.ts'
import { analysisQueries, makeAnalysis } from './analysis.ts'
import { askApi, askEngine, askMcp, type Filled } from './ask.ts'
import { filled } from './filled.ts'
import { contextOf, type Question, questions } from './questions.ts'

const SIZES = [1_000_000, 10_000_000]
const ROUNDS = 20
const MCP_BAR = 2.5
const BUSY_BAR = 3
const GROWTH_BAR = 1.5
const BUSY_RECORDS_PER_SECOND = 20_000

export async function query(args: string[]): Promise<BenchResult[]> {
  const sizes = numbersAfter(args, '--records') ?? SIZES
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const busyRate = numberAfter(args, '--busy') ?? BUSY_RECORDS_PER_SECOND
  const results: BenchResult[] = []
  const growth = new Map<string, number[]>()
  for (const size of sizes) {
    const service = await filled(size)
    try {
      results.push(...(await atSize(service, { size, rounds, busyRate }, growth)))
    } finally {
      await service.process.stop()
    }
  }
  for (const [name, [small = 0, large]] of growth) {
    if (large !== undefined) results.push(figure(`${name}: ${growthWords(sizes)}`, large / small, 'ratio', GROWTH_BAR))
  }
  return results
}

function growthWords([small = 1, large = 1]: readonly number[]): string {
  return `${large / small} times the records`
}

async function atSize(
  service: Filled,
  { size, rounds, busyRate }: { size: number; rounds: number; busyRate: number },
  growth: Map<string, number[]>,
): Promise<BenchResult[]> {
  const label = `${withCommas(size)} records`
  const results: BenchResult[] = []
  const quiet = new Map<string, Times>()
  const asked = questions(service.projectId)
  for (const question of [...asked, await contextQuestion(service)]) {
    const times = await sideBySide(
      rounds,
      () => askApi(service, question.path),
      () => askEngine(service, question.sql),
    )
    quiet.set(question.name, times.ours)
    growth.set(question.name, [...(growth.get(question.name) ?? []), times.ours.p50])
    results.push(...comparison(`${label}, ${question.name}`, times, 'bare SQL', question.bar))
  }
  const [newest] = asked
  const listLogs = await sideBySide(
    rounds,
    () => askMcp(service, 'list_logs', { limit: 100 }),
    () => askEngine(service, newest?.sql ?? []),
  )
  results.push(...comparison(`${label}, MCP list_logs`, listLogs, 'its query', MCP_BAR))
  const analysis = await makeAnalysis(service)
  const getAnalysis = await sideBySide(
    rounds,
    () => askMcp(service, 'get_analysis', { id: analysis.id }),
    () => askEngine(service, analysisQueries(service.projectId, analysis)),
  )
  results.push(...comparison(`${label}, MCP get_analysis`, getAnalysis, 'its queries', MCP_BAR))

  const load = startLoad(service, busyRate)
  for (const { name, path } of asked.filter(({ bar }) => bar !== null)) {
    const busy = summary(await timed(rounds, () => askApi(service, path)))
    results.push(
      figure(
        `${label}, ${name}: p95 at ${busyRate} records/s against quiet`,
        busy.p95 / (quiet.get(name)?.p95 ?? 1),
        'ratio',
        BUSY_BAR,
      ),
    )
  }
  await load.stop()
  return results
}

/** The id of a record with others around it. */
async function contextQuestion(service: Filled): Promise<Question> {
  const { rows } = (await askApi(service, '/api/logs?limit=100')) as SearchAnswer
  const row = rows.at(-1)
  if (row?.kind !== 'log') throw new Error('there are no records')
  return contextOf(service.projectId, row)
}

function startLoad({ process, ingestKey }: Filled, rate: number): { stop(): Promise<void> } {
  const perRequest = 500
  const bodies = ndjsonBodies(perRequest * 20, perRequest)
  let sent = 0
  const running = new Set<Promise<unknown>>()
  const timer = setInterval(
    () => {
      const sending = fetch(`${process.url}/v1/logs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/x-ndjson' },
        body: new Uint8Array(bodies[sent++ % bodies.length] ?? []),
      })
        .then((response) => response.arrayBuffer())
        .catch(() => {})
        .finally(() => running.delete(sending))
      running.add(sending)
    },
    (perRequest / rate) * 1_000,
  )
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}
