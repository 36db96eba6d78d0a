/** An analysis among all the other records, and the bare SQL of what its detail shows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '../../packages/wire/src/time/units.ts'
import { askApi, type Filled } from './ask.ts'
import { RECORD_COLUMNS } from './questions.ts'

const ERRORS = 500
const DEPLOYED_BEFORE_MS = 12 * HOUR_MS
const ERRORS_SINCE_MS = 6 * HOUR_MS

type MadeAnalysis = { id: string; fingerprint: string }

/** A deploy twelve hours ago, errors for the last six hours. */
export async function makeAnalysis(service: Filled): Promise<MadeAnalysis> {
  const { url } = service.process
  const now = Date.now()
  const deploy = {
    projectApiKey: service.ingestKey,
    externalId: 'bench',
    sha: 'a'.repeat(40),
    environment: 'production',
    status: 'succeeded',
    deployedAt: new Date(now - DEPLOYED_BEFORE_MS).toISOString(),
  }
  await accepted(
    fetch(`${url}/v1/deploys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(deploy),
    }),
  )
  const stack = 'BenchError: measured\n    at measure (/srv/bench/measure.js:10:5)'
  const logs = Array.from({ length: ERRORS }, (_, at) => ({
    timestamp: new Date(now - (ERRORS_SINCE_MS * (at + 1)) / ERRORS).toISOString(),
    level: 'error',
    service: 'bench',
    host: `bench-${at % 4}`,
    environment: 'production',
    error: { type: 'BenchError', message: 'measured', stack },
  }))
  await accepted(
    fetch(`${url}/v1/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.ingestKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ logs }),
    }),
  )
  for (;;) {
    const { analyses } = (await askApi(service, '/api/analyses?query=BenchError&from=-1d&limit=1')) as Found
    const [found] = analyses
    if (found?.count === ERRORS) {
      const { analysis } = (await askApi(service, `/api/analyses/${found.id}`)) as { analysis: MadeAnalysis }
      return { id: found.id, fingerprint: analysis.fingerprint }
    }
    await sleep(500)
  }
}

type Found = { analyses: { id: string; count: number }[] }

async function accepted(answer: Promise<Response>): Promise<void> {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${text}`)
}

/**
 * Rates before and after, who is affected, where else, over time, the newest and what came before it; and for the cause:
 * the course, what errors and others of the service have, what ran well in between, and starts.
 */
export function analysisQueries(project: string, { fingerprint }: MadeAnalysis): string[] {
  const here = `FROM logs WHERE project = '${project}' AND environment = 'production'`
  const since = (hours: number) => `time >= now64(6) - INTERVAL ${hours} HOUR`
  const errors = `fingerprint = ${BigInt(`0x${fingerprint}`)}`
  return [
    `SELECT count() ${here} AND ${errors} AND ${since(24)} AND NOT ${since(12)}`,
    `SELECT count() ${here} AND ${errors} AND ${since(12)}`,
    `SELECT count() ${here} AND ${since(24)} AND NOT ${since(12)}`,
    `SELECT count() ${here} AND ${since(12)}`,
    `SELECT service, host, release, count() ${here} AND ${errors} AND ${since(6)} GROUP BY service, host, release`,
    `SELECT environment, count() FROM logs WHERE project = '${project}' AND ${errors} AND ${since(12)} GROUP BY environment`,
    `SELECT toStartOfInterval(time, INTERVAL 10 MINUTE) AS bucket, count() ${here} AND ${errors} AND ${since(8)} GROUP BY bucket`,
    `SELECT ${RECORD_COLUMNS} ${here} AND ${errors} AND ${since(7)} ORDER BY time DESC, seq DESC LIMIT 5`,
    `SELECT ${RECORD_COLUMNS} ${here} AND host = 'bench-0' AND ${since(1)} ORDER BY time DESC, seq DESC LIMIT 10`,
    `SELECT toStartOfInterval(time, INTERVAL 2 MINUTE) AS bucket, count() ${here} AND ${errors} AND ${since(6)} GROUP BY bucket`,
    `SELECT release, count() ${here} AND ${errors} AND ${since(6)} GROUP BY release`,
    `SELECT name, value, count() AS n FROM (SELECT attributes ${here} AND ${errors} AND ${since(6)}) ARRAY JOIN mapKeys(attributes) AS name, mapValues(attributes) AS value GROUP BY name, value ORDER BY n DESC LIMIT 20 BY name`,
    `SELECT name, value, count() AS n FROM (SELECT attributes ${here} AND service = 'bench' AND NOT ${errors} AND ${since(6)}) ARRAY JOIN mapKeys(attributes) AS name, mapValues(attributes) AS value GROUP BY name, value ORDER BY n DESC LIMIT 20 BY name`,
    `SELECT name, value, count() AS n FROM (SELECT attributes ${here} AND service = 'bench' AND NOT ${errors} AND ${since(12)} AND NOT ${since(6)}) ARRAY JOIN mapKeys(attributes) AS name, mapValues(attributes) AS value GROUP BY name, value ORDER BY n DESC LIMIT 20 BY name`,
    `SELECT count() ${here} AND service = 'bench' AND NOT ${errors} AND ${since(12)} AND NOT ${since(6)}`,
    `SELECT count() ${here} AND service = 'bench' AND NOT ${errors} AND ${since(6)}`,
    `SELECT ${RECORD_COLUMNS} ${here} AND service = 'bench' AND match(message, '(?i)started|listening|configuration') AND ${since(7)} AND NOT ${since(6)} ORDER BY time DESC, seq DESC LIMIT 40`,
  ]
}
