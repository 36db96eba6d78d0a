/** Queries asked of the real engine, with and without its indexes, against an evaluator that is too simple to be wrong. */
import type { ClickHouseClient } from '@clickhouse/client'
import { LEVELS } from '@tidemark/wire/level'
import { amountFor } from '@tidemark/wire/query/amount'
import type { Bound, Expression, Match, Query, TextMatch } from '@tidemark/wire/query/ast'
import type { Field } from '@tidemark/wire/query/fields'
import { parseQuery } from '@tidemark/wire/query/parse'
import { DAY_US } from '@tidemark/wire/time/units'
import { RE2JS } from 're2js'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AttributeValue, LogRecord } from '../../model/log-record.ts'
import { logId } from '../schema/log-id.ts'
import { sampleRecord, TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'
import { compileQuery } from './compile-query.ts'
import { READ_SETTINGS } from './query-limits.ts'

const PROJECT = 'prj_queries'
const HASHES = ['0000000000000000', '00c0ffee00c0ffee', 'fffffffffffffffe']
const TRACE = '0af7651916cd43dd8448eb211c80319c'

const MESSAGES = [
  'Connection refused by upstream',
  'connection REFUSED: timeout=30s user_42',
  'Timeout while calling http2 backend',
  'timeouts are not the same word',
  'user_42 logged in from 10.0.0.1',
  'größe überschritten: 12 MB',
  'GRÖSSE egal',
  '100% done_now \\ path C:\\temp',
  '100 percent doneXnow',
  'line one\nline two "quoted"',
  'payment failed for order 7',
  'Payment_failed',
  '“timeout” → payment… \u202efailed\u202c',
  'エラーtimeout発生 payment이',
  '',
]
const SERVICES = ['api', 'API', 'web', 'web admin', '']
const ENVIRONMENTS = ['production', 'Production', 'staging', ' dev']
const ATTRIBUTES: [string, AttributeValue][][] = [
  [],
  [
    ['http.status', 500],
    ['took', 1500],
    ['ok', true],
  ],
  [
    ['http.status', '500'],
    ['took', '99.5'],
    ['ok', 'true'],
  ],
  [
    ['http.status', 404],
    ['took', -1],
    ['none', null],
  ],
  [
    ['http.status', 'inf'],
    ['took', 'nan'],
    ['none', 'null'],
  ],
  [
    ['http.status', ''],
    ['took', 'slow'],
    ['none', ''],
  ],
  [
    ['a', 'b=c'],
    ['path', '/api/v1/users'],
  ],
  [
    ['a=b', 'c'],
    ['path', '/API/v1/users'],
  ],
  [
    ['odd "name"\'\\', 'it\'s \\ "odd"'],
    ['path', 'C:\\temp\n\tx'],
  ],
  [
    ['a', '"unbalanced'],
    ['path', '"quoted" and more'],
    ['took', 1e21],
  ],
  [
    ['a', '"whole"'],
    ['path', '100%_x'],
    ['took', 5],
  ],
]

const QUERIES = String.raw`
failed
connection
REFUSED timeout
connection OR payment
timeout
-timeout
user
user*
user_42
http2
30s
"connection refused"
"Refused by"
"user_42 logged"
"fused by"
größe
"überschritten: 12"
done_now
100%*done_now
done?now
"C:\temp"
"line two \"quoted\""
/line.*two/
/(?i)payment.failed/
/^$/
message:""
message:*
-message:*
message:payment
message:"payment failed"
*
service:api
service:(api OR web)
-service:api
service:"web admin"
service:""
has:service
-has:service
service:we*
service:*a*
service:/^[aw]/
environment:" dev"
environment:production -environment:staging
level:error
level:>=warn
level:<info
level:[info TO error}
level:{info TO fatal]
level:*r*
-level:/^(info|debug)$/
logger:db.pool
host:h1 release:1.*
traceId:0AF7651916CD43DD8448EB211C80319C
traceId:0af76519-16cd-43dd-8448-eb211c80319c
traceId:0af7*
has:traceId
spanId:b7ad6b7169203331
fingerprint:00c0ffee00c0ffee
-fingerprint:00c0ffee00c0ffee
has:fingerprint
pattern:FFFFFFFFFFFFFFFE
pattern:(fffffffffffffffe OR 0000000000000001)
-pattern:(fffffffffffffffe OR 00c0ffee00c0ffee)
pattern:fffffffffffffffe OR fingerprint:00c0ffee00c0ffee
error.type:TypeError
has:error.type
error.message:undefined
error.message:*UNDEF*
error.stack:"a.ts:1"
http.status:500
-http.status:500
http.status:>=500
http.status:>404
-http.status:>=500
http.status:[404 TO 500}
http.status:{404 TO 500]
http.status:[* TO 404]
http.status:(404 OR 500)
http.status:5*
http.status:/^5\d\d$/
http.status:""
has:http.status
-has:http.status
took:>1s
took:<100ms
took:<=-1
took:>-1
took:>1e20
took:slow
ok:true
none:null
none:""
-none:null
a:b=c
"a=b":c
a:b*
a:"\"unbalanced"
a:"\"whole\""
a:*whole*
a:/^"/
"odd \"name\"'\\":"it's \\ \"odd\""
has:"odd \"name\"'\\"
path:/api/v1/users
path:/api/*
path:*temp*
path:100\%_x
path:*\%_*
path:/(?i)^\/api/
path:"\"quoted\" and more"
-(timeout OR service:api) level:>=info
(timeout OR payment) -(service:web http.status:*)
missing:x
-missing:x
missing:>5
-missing:>5
`
  .split('\n')
  .filter((line) => line !== '')

/** All questions in one, on an engine that may be emulated: far beyond what a single one may take. */
const PATIENT = { ...READ_SETTINGS, max_execution_time: 500 }
const PATIENCE = { timeout: 600_000 }

type Row = LogRecord & { id: string; number: number; pattern: string; fingerprint: string }

const rows: Row[] = Array.from({ length: 286 }, (_, number) => {
  const hash = HASHES[number % 3]!
  const timeUs = TODAY * DAY_US + number * 1000
  const record = sampleRecord({
    timeUs,
    message: MESSAGES[number % MESSAGES.length]!,
    level: LEVELS[number % 6]!,
    service: SERVICES[number % 5]!,
    environment: ENVIRONMENTS[number % 4]!,
    host: number % 2 ? 'h1' : '',
    logger: number % 3 ? 'db.pool' : 'http',
    release: ['1.2.3', '1_2', '2.0'][number % 3]!,
    traceId: number % 4 ? '' : TRACE,
    spanId: number % 8 ? '' : 'b7ad6b7169203331',
    error: number % 5 ? null : { type: 'TypeError', message: 'X is undefined', stack: 'at f (a.ts:1:2)' },
    attributes: new Map(ATTRIBUTES[number % ATTRIBUTES.length]),
  })
  return { ...record, number, id: logId({ timeUs, sequence: { hi: 0, lo: number } }), pattern: hash, fingerprint: hash }
})

describe('the engine', () => {
  let client: ClickHouseClient

  beforeAll(async () => {
    if (missingEngine !== undefined) return
    const { store, dataDir, ...test } = await testStore()
    client = test.client
    const records = rows.map(({ number, pattern, fingerprint, id: _, ...record }) => {
      const sequence = { hi: 0, lo: number }
      return {
        project: PROJECT,
        ...record,
        row: { sequence, pattern: halves(pattern), fingerprint: halves(fingerprint) },
      }
    })
    await store.load(writeSegment(dataDir, 'seg_queries', records))
  }, STORE_TIMEOUT_MS)
  beforeEach((context) => {
    if (missingEngine !== undefined) context.skip(missingEngine)
  })

  const ids = [`id:${rows[7]!.id}`, `-id:${rows[7]!.id}`]
  const odd = [
    '"line one\nline"',
    'path:"C:\\temp\n\tx"',
    '"a\0b"',
    'service:"\ud800"',
    'x:"\' OR 1=1 --"',
    '/a\0|two/',
  ]
  const queries = [...QUERIES, ...ids, ...odd]
  const byQuery = (numbers: (text: string, at: number) => number[]) =>
    Object.fromEntries(
      queries.map((text, at) => [
        text,
        numbers(text, at)
          .sort((a, b) => a - b)
          .join(' '),
      ]),
    )

  it('finds for every query the records that it means, without an index', PATIENCE, async () => {
    const compiled = queries.map((text, at) => compileQuery(parsed(text), { prefix: prefix(at) }))
    const columns = compiled.map(({ where }, at) => `groupArrayIf(toUInt32(seq), ${where}) AS found_${at}`)
    const params = Object.assign({}, ...compiled.map(({ params }) => params))
    const answer = await client.query({
      query: `SELECT ${columns.join(',\n')} FROM logs WHERE project = {project:String}`,
      query_params: { project: PROJECT, ...params },
      format: 'JSONEachRow',
      clickhouse_settings: PATIENT,
    })
    const [found] = await answer.json<Record<string, number[]>>()
    expect(byQuery((_, at) => found?.[`found_${at}`] ?? [])).toEqual(byQuery(expected))
  })

  it('finds the same with its indexes', PATIENCE, async () => {
    const compiled = queries.map((text, at) => compileQuery(parsed(text), { prefix: prefix(at) }))
    const selects = compiled.map(
      ({ where }, at) =>
        `SELECT toUInt16(${at}) AS at, groupArray(toUInt32(seq)) AS found FROM logs WHERE project = {project:String} AND ${where}`,
    )
    const params = Object.assign({}, ...compiled.map(({ params }) => params))
    const answer = await client.query({
      query: selects.join(' UNION ALL\n'),
      query_params: { project: PROJECT, ...params },
      format: 'JSONEachRow',
      clickhouse_settings: PATIENT,
    })
    const found = new Map((await answer.json<{ at: number; found: number[] }>()).map((row) => [row.at, row.found]))
    expect(byQuery((_, at) => found.get(at) ?? [])).toEqual(byQuery(expected))
  })

  it('asks its indexes for words, attributes and traces', { timeout: 120_000 }, async () => {
    for (const [text, index] of [
      ['connection refused', 'by_word'],
      ['"connection refused"', 'by_word'],
      ['connection OR timeout', 'by_word'],
      ['path:/api/v1/users', 'by_attribute'],
      ['http.status:500', 'by_attribute'],
      [`traceId:${TRACE}`, 'by_trace'],
      ['fingerprint:00c0ffee00c0ffee', 'by_fingerprint'],
    ] as const) {
      const { where, params } = compileQuery(parsed(text))
      const answer = await client.query({
        query: `EXPLAIN indexes = 1 SELECT count() FROM logs WHERE project = {project:String} AND ${where}`,
        query_params: { project: PROJECT, ...params },
        format: 'TabSeparatedRaw',
      })
      expect(await answer.text(), text).toContain(index)
    }
  })
})

describe('the queries above', () => {
  it('mostly find some records and not all, or they would show nothing', () => {
    const telling = QUERIES.filter((text) => expected(text).length > 0 && expected(text).length < rows.length)
    expect(telling.length / QUERIES.length).toBeGreaterThan(0.85)
  })
})

function parsed(text: string): Query {
  const result = parseQuery(text)
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`)
  return result.query
}

function expected(text: string): number[] {
  const { root } = parsed(text)
  return rows.filter((row) => root === null || holds(root, row)).map(({ number }) => number)
}

function holds(expression: Expression, row: Row): boolean {
  switch (expression.kind) {
    case 'and':
      return expression.parts.every((part) => holds(part, row))
    case 'or':
      return expression.parts.some((part) => holds(part, row))
    case 'not':
      return !holds(expression.part, row)
    case 'text':
      return searches(row.message, expression.match)
    case 'has':
      return valueOfField(row, expression.field) !== undefined
    case 'field':
      return matches(row, expression.field, expression.match)
  }
}

function matches(row: Row, field: Field, match: Match): boolean {
  const value = valueOfField(row, field)
  if (match.kind === 'compare') return compares(value, match.comparison, match.bound, field)
  if (match.kind === 'range') {
    const isAbove = compares(value, match.includesLow ? '>=' : '>', match.low, field)
    return isAbove && compares(value, match.includesHigh ? '<=' : '<', match.high, field)
  }
  if (field.name === 'message') return searches(row.message, match)
  if (field.name === 'error.message' || field.name === 'error.stack') return contains(String(value ?? ''), match)
  if (value === undefined) return field.kind === 'core' && match.kind === 'literal' && match.value === ''
  const text = String(value)
  if (match.kind === 'regex') return RE2JS.compile(match.source, RE2JS.DOTALL).test(text)
  if (match.kind === 'wildcard') return like(text, match.pieces)
  if (field.name === 'traceId') return text === match.value.toLowerCase().replaceAll('-', '')
  return text === match.value
}

function compares(value: unknown, comparison: string, bound: Bound, field: Field): boolean {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?(e\+\d+)?$/.test(value))
  if (bound.kind === 'number' && !isNumber) return false
  const left = bound.kind === 'level' ? LEVELS.indexOf(value as never) : Number(value)
  const right = bound.kind === 'level' ? LEVELS.indexOf(bound.level) : amountFor(field.name, bound.amount)
  if (comparison === '>') return left > right
  if (comparison === '>=') return left >= right
  return comparison === '<' ? left < right : left <= right
}

/** The message: words are whole, phrases are made of whole words. */
function searches(message: string, match: TextMatch): boolean {
  if (match.kind !== 'literal' || match.value === '') return contains(message, match)
  const isPlain = /^[a-z]+$/i.test(match.value)
  const wanted = isPlain ? [match.value.toLowerCase()] : match.quoted ? wordsOf(match.value) : []
  const plain = wanted.filter((word) => /^[a-z]+$/.test(word))
  const present = new Set(wordsOf(message))
  return plain.every((word) => present.has(word)) && (isPlain || contains(message, match))
}

function wordsOf(text: string): string[] {
  const separated = text.replace(
    /[^\x00-\x7f\p{L}\p{M}]|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu,
    ' ',
  )
  const names = separated.toLowerCase().match(/[a-z0-9_\u0080-\uffff]+/g) ?? []
  return names.filter((name) => !/[0-9]/.test(name)).flatMap((name) => name.split('_'))
}

function contains(text: string, match: TextMatch): boolean {
  if (match.kind === 'regex') return RE2JS.compile(match.source, RE2JS.DOTALL).test(text)
  if (match.kind === 'wildcard')
    return like(text.toLowerCase(), ['', ...match.pieces.map((piece) => piece.toLowerCase()), ''])
  return match.value === '' ? text === '' : text.toLowerCase().includes(match.value.toLowerCase())
}

function like(text: string, pieces: readonly string[]): boolean {
  const source = pieces.map((piece) => piece.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('[^]*')
  return new RegExp(`^${source}$`).test(text)
}

/** Undefined where the record has none; numbers and strings that look alike are alike. */
function valueOfField(row: Row, { kind, name }: Field): AttributeValue | undefined {
  if (kind === 'attribute') return row.attributes.has(name) ? String(row.attributes.get(name)) : undefined
  const values: Record<string, string> = {
    ...(row as unknown as Record<string, string>),
    'error.type': row.error?.type ?? '',
    'error.message': row.error?.message ?? '',
    'error.stack': row.error?.stack ?? '',
  }
  const value = values[name] ?? ''
  return value === '' || value === HASHES[0] ? undefined : value
}

function halves(hash: string) {
  return { hi: Number.parseInt(hash.slice(0, 8), 16), lo: Number.parseInt(hash.slice(8), 16) }
}

/** Letters only, none the beginning of another. */
function prefix(at: number): string {
  return `q${String(at).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}_`
}
