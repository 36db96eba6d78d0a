import { CORE_FIELDS } from '@tidemark/wire/query/fields'
import { describe, expect, it } from 'vitest'
import { COLUMN_OF, COLUMNS, SEGMENT_STRUCTURE } from './columns.ts'
import { SCHEMA_VERSION, schemaStatements, schemaVersion } from './schema.ts'

describe('the schema', () => {
  it('is one table on one server', () => {
    const [create, ...more] = schemaStatements(null, { cluster: null })
    expect(more).toEqual([])
    expect(create).toContain('CREATE TABLE IF NOT EXISTS logs (')
    expect(create).toContain(
      'ENGINE = MergeTree\nPARTITION BY toDate(time)\nORDER BY (project, time, seq)\nTTL expires',
    )
    expect(create).toContain('non_replicated_deduplication_window = 10000')
    for (const { name } of COLUMNS) expect(create).toContain(`\n  ${name} `)
  })

  it('is the same columns on a cluster, replicated, with a distributed table that keeps a segment on one shard', () => {
    const [local, distributed] = schemaStatements(null, { cluster: 'main' })
    const columns = (statement: string | undefined) =>
      statement?.slice(statement.indexOf('('), statement.indexOf(') ENGINE'))
    expect(local).toContain("CREATE TABLE IF NOT EXISTS logs_local ON CLUSTER 'main' (")
    expect(columns(local)).toBe(columns(schemaStatements(null, { cluster: null })[0]))
    expect(local).toContain(
      "ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')",
    )
    expect(local).toContain(
      'replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800',
    )
    expect(local).not.toContain('non_replicated')
    expect(distributed).toMatchInlineSnapshot(
      `"CREATE TABLE IF NOT EXISTS logs ON CLUSTER 'main' AS logs_local ENGINE = Distributed('main', currentDatabase(), 'logs_local', cityHash64(segment)) COMMENT 'tidemark schema 2'"`,
    )
  })

  it('is brought up to date where the records lie', () => {
    const [columns, settings, ...comments] = schemaStatements(1, { cluster: 'main' })
    expect(columns).toContain("ALTER TABLE logs_local ON CLUSTER 'main' MODIFY COLUMN seq")
    expect(settings).toContain("ALTER TABLE logs_local ON CLUSTER 'main' MODIFY SETTING")
    expect(comments).toEqual([
      "ALTER TABLE logs_local ON CLUSTER 'main' MODIFY COMMENT 'tidemark schema 2'",
      "ALTER TABLE logs ON CLUSTER 'main' MODIFY COMMENT 'tidemark schema 2'",
    ])
  })

  it('has nothing to do when the version is this one', () => {
    expect(schemaStatements(SCHEMA_VERSION, { cluster: null })).toEqual([])
  })

  it('knows its own tables by their comment', () => {
    expect(schemaVersion('tidemark schema 7')).toBe(7)
    expect(schemaVersion('somebody else')).toBeNull()
    expect(schemaVersion('')).toBeNull()
  })
})

describe('the columns', () => {
  it('are there for every field that a query can ask for, but an id', () => {
    expect(Object.keys(CORE_FIELDS).filter((field) => !(field in COLUMN_OF))).toEqual(['id'])
  })

  it('are not hidden by a field that is read under the name of another', () => {
    const names = COLUMNS.map(({ name }) => name)
    expect(COLUMNS.filter(({ name, field, read = name }) => read !== field && names.includes(field))).toEqual([])
  })
})

describe('a segment file', () => {
  it('keeps its layout: segments written by one version are loaded by the next', () => {
    expect(SEGMENT_STRUCTURE).toMatchInlineSnapshot(
      `"frame String, project String, time DateTime64(6, 'UTC'), seq UInt64, level Enum8('trace' = 1, 'debug' = 2, 'info' = 3, 'warn' = 4, 'error' = 5, 'fatal' = 6), environment String, environment_defaulted Bool, service String, host String, logger String, release String, trace_id String, span_id String, message String, truncated Bool, error_type String, error_message String, error_stack String, attributes Map(String, String), pattern UInt64, fingerprint UInt64, received DateTime64(3, 'UTC'), expires Date"`,
    )
  })
})
