import { expect, it } from 'vitest'
import { postgresUnavailable, startPostgres } from '../../packages/server/src/testing/postgres.ts'
import { startService, tidemark } from '../support/service/service.ts'
import { report, times } from './report.ts'

const PARALLEL = 200

it('200 deploys at once with one externalId over two nodes on PostgreSQL make one row', async (context) => {
  const missing = await postgresUnavailable()
  if (missing !== undefined) context.skip(missing)
  const postgres = await startPostgres()
  try {
    const databaseUrl = await postgres.createDatabase()
    const env = { TIDEMARK_DATABASE_URL: databaseUrl, TIDEMARK_SECRET_KEY: 's'.repeat(40) }
    const nodes = await Promise.all([
      startService({ env, until: 'listening' }),
      startService({ env, until: 'listening' }),
    ])
    const { ingestKey } = (await tidemark(['project', 'create', 'shop', '--json'], { env })).json()
    const rounds = times(20)
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, async (_, index) => {
          const body = {
            projectApiKey: ingestKey,
            sha: `sha-${index}`,
            environment: 'production',
            deployedAt: '2026-01-01T00:00:00Z',
            externalId: `run-${round}`,
          }
          const response = await fetch(`${nodes[index % 2]?.url}/v1/deploys`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
          return { status: response.status, body: (await response.json()) as { deploy?: { id: string } } }
        }),
      )
      const recorded = answers.filter(({ status }) => status === 200 || status === 201)
      expect(answers.filter(({ status }) => ![200, 201, 429].includes(status))).toEqual([])
      expect(recorded.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(new Set(recorded.map(({ body }) => body.deploy?.id)).size).toBe(1)
    }
    report({ fault: '200 deploys at once, two nodes', times: rounds })
    await Promise.all(nodes.map((node) => node.stop()))
  } finally {
    await postgres.stop()
  }
})
