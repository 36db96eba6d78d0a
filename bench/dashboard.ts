/**
 * How long a person waits for the first rows of the logs page: in Chromium, from the opening of the address to the first
 * row in the document and to the first frame, with nothing cached from an earlier visit and as a visitor who comes back,
 * in a profile of its own in each round; beside the one API request that those rows need, made in the same run, in turns.
 * `--records N` (default a million), `--rounds N`.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openControl } from '../packages/server/src/control/open.ts'
import { withCommas } from '../packages/wire/src/text/counted.ts'
import { BareBrowser } from './bare-browser.ts'
import { loadRecords } from './load-records.ts'
import { type BenchResult, figure, numberAfter } from './result.ts'
import { ServiceProcess } from './service-process.ts'
import { summary } from './side-by-side.ts'

const RECORDS = 1_000_000
const ROUNDS = 10
/** A script is not compiled with the benchmarks. */
const SCRIPT = join(process.cwd(), 'scripts/browsers.mjs')
const ROW = 'ul[aria-label="Records"] li'
/** What the page asks for before anything else. */
const ROWS_ASKED = 'logs?from=-1h&limit=200'
/** By the last the browser has all files, and the service is as warm as it gets for one visitor. */
const VISITS = 3
/** For what a browser does after its start, and for its processes that come and go with a page. */
const REST_MS = 1_500
const BAR_MS = 300
const NOTE_FIRST_ROW = `new MutationObserver((_, observer) => {
  if (!document.querySelector('${ROW}')) return
  window.firstRowMs = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`
/** Where the answers come in time, nothing is painted before the rows. */
const PAINTED = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`

export async function dashboard(args: string[]): Promise<BenchResult[]> {
  const { BROWSERS }: typeof import('../scripts/browsers.mjs') = await import(SCRIPT)
  const executablePath = BROWSERS.find((path) => existsSync(path))
  if (executablePath === undefined) {
    console.log(`  skipped: there is no Chromium at ${BROWSERS.join(', ')}`)
    return []
  }
  const records = numberAfter(args, '--records') ?? RECORDS
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const empty = await ServiceProcess.start()
  const { projectId } = empty.createProject()
  await empty.stop({ keepData: true })
  await loadRecords(empty.dataDir, projectId, records)
  const session = await openSession(empty.dataDir)
  const service = await ServiceProcess.start(empty.dataDir)
  try {
    const times: Times = { first: [], again: [], painted: [], api: [] }
    for (let round = 0; round < rounds; round++) {
      times.api.push(await timeOfRows(service, projectId, session))
      const visits = await visitPage(executablePath, service, projectId, session)
      times.first.push(visits[0]?.rowMs ?? Number.NaN)
      times.again.push(visits.at(-1)?.rowMs ?? Number.NaN)
      times.painted.push(visits.at(-1)?.paintedMs ?? Number.NaN)
    }
    return figures(`${withCommas(records)} records`, times)
  } finally {
    await service.stop()
  }
}

/** As its owner, made in the database of the stopped service. */
async function openSession(dataDir: string): Promise<string> {
  const control = await openControl({ databaseUrl: undefined, dataDir })
  try {
    const owner = { email: 'bench@example.com', name: 'Bench', role: 'owner', passwordHash: null } as const
    const { id } = await control.accounts.create(owner, { by: 'operator', nowMs: Date.now() })
    const input = { personId: id, origin: 'password', replaces: undefined, address: '' } as const
    return await control.sessions.open(input, Date.now())
  } finally {
    await control.close()
  }
}

async function timeOfRows({ url }: ServiceProcess, projectId: string, session: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/projects/${projectId}/${ROWS_ASKED}`, {
    headers: { cookie: `tidemark_session=${session}` },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${ROWS_ASKED} answered ${response.status}: ${text}`)
  return performance.now() - startedAt
}

/** Each by the clock of the page itself, which begins when the address is opened. */
async function visitPage(executablePath: string, { url }: ServiceProcess, projectId: string, session: string) {
  const browser = await BareBrowser.start(executablePath, NOTE_FIRST_ROW)
  try {
    await browser.setCookie(url, 'tidemark_session', session)
    await sleep(REST_MS)
    const visits: { rowMs: number; paintedMs: number }[] = []
    for (let visit = 0; visit < VISITS; visit++) {
      await browser.open(`${url}/projects/${projectId}/logs`)
      visits.push({ rowMs: await browser.numberOf('window.firstRowMs'), paintedMs: await browser.numberOf(PAINTED) })
      await browser.open('about:blank')
      await sleep(REST_MS)
    }
    return visits
  } finally {
    await browser.close()
  }
}

type Times = { first: number[]; again: number[]; painted: number[]; api: number[] }

function figures(label: string, times: Times): BenchResult[] {
  const first = summary(times.first)
  const again = summary(times.again)
  const painted = summary(times.painted)
  const api = summary(times.api)
  return [
    figure(`${label}, first rows of the logs page, first visit: p50`, first.p50, 'ms'),
    figure(`${label}, first rows of the logs page, first visit: p95`, first.p95, 'ms'),
    figure(`${label}, first rows of the logs page, third visit: p50`, again.p50, 'ms', BAR_MS),
    figure(`${label}, first rows of the logs page, third visit: p95`, again.p95, 'ms'),
    figure(`${label}, first frame of the logs page, third visit: p50`, painted.p50, 'ms'),
    figure(`${label}, the API call they need: p50`, api.p50, 'ms'),
    figure(`${label}, the API call they need: p95`, api.p95, 'ms'),
    figure(`${label}, the API call they need: first`, api.first, 'ms'),
    figure(`${label}, first rows, third visit, against their API call: p50`, again.p50 / api.p50, 'ratio'),
  ]
}
