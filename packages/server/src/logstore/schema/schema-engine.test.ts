import { readFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isClusterLayout, missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'
import { LOG_TABLE, SCHEMA_VERSION, schemaStatements } from './schema.ts'

const OLD_TABLE = 'logs_of_old'
const OLD_SCHEMAS = [1]

describe('a table of an earlier version', () => {
  let client: ClickHouseClient
  beforeAll(async () => {
    if (missingEngine === undefined) ({ client } = await testStore())
  }, STORE_TIMEOUT_MS)
  beforeEach((context) => {
    if (missingEngine !== undefined) context.skip(missingEngine)
  })
  const drop = () => client?.command({ query: `DROP TABLE IF EXISTS ${OLD_TABLE}` })
  afterAll(drop)

  it.skipIf(isClusterLayout).each(OLD_SCHEMAS)(
    'becomes what a new one is: version %i',
    async (version) => {
      await drop()
      await client.command({ query: renamed(schemaOf(version)) })
      // Twice: a start that was cut short in between does it again.
      for (let time = 0; time < 2; time++) {
        for (const query of schemaStatements(version, { cluster: null }))
          await client.command({ query: renamed(query) })
      }
      expect(await definitionOf(OLD_TABLE)).toBe(await definitionOf(LOG_TABLE))
    },
    STORE_TIMEOUT_MS,
  )

  it('is kept of each version', () => {
    expect(OLD_SCHEMAS).toEqual(Array.from({ length: SCHEMA_VERSION - 1 }, (_, at) => at + 1))
  })

  async function definitionOf(table: string): Promise<string> {
    const answer = await client.query({ query: `SHOW CREATE TABLE ${table}`, format: 'TabSeparatedRaw' })
    return (await answer.text()).replace(/^CREATE TABLE \S+/, '')
  }
})

it('knows the statements that the documentation gives for the table', {
  timeout: STORE_TIMEOUT_MS,
}, async (context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
  const { client } = await testStore()
  const text = readFileSync(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8')
  const fences = [...text.matchAll(/^```sql[^\n]*\n([\s\S]*?)^```$/gm)].map((found) => found[1]!)
  const statements = fences.flatMap((fence) => fence.split(/;\s*\n/)).filter((one) => one.trim() !== '')
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements) {
    const query = 'SELECT formatQuerySingleLine({statement:String}) AS read'
    const answer = await client.query({ query, query_params: { statement }, format: 'JSONEachRow' })
    expect(await answer.json()).toEqual([{ read: expect.stringMatching(/^(ALTER TABLE logs|SELECT|SYSTEM) /) }])
  }
  const broken = {
    query: "SELECT formatQuerySingleLine('ALTER TABLE logs MODIFY TTL TO TO')",
    format: 'JSONEachRow' as const,
  }
  await expect(client.query(broken).then((answer) => answer.json())).rejects.toThrow()
})

function schemaOf(version: number): string {
  return readFileSync(new URL(`../testing/schema-${version}.sql`, import.meta.url), 'utf8')
}

function renamed(statement: string): string {
  return statement.replace(/TABLE (IF NOT EXISTS )?logs /, `TABLE $1${OLD_TABLE} `)
}
