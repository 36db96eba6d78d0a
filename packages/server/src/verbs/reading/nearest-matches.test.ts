import { NOWHERE } from '@tidemark/wire/query/ast'
import { parseQuery } from '@tidemark/wire/query/parse'
import { describe, expect, it } from 'vitest'
import { toBigInt } from '../../analysis/pattern/hash.ts'
import { patternOf } from '../../analysis/pattern/pattern.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import { sampleRecord } from '../../logstore/testing/segment.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { nearestMatches } from './nearest-matches.ts'

const FROM_US = Date.UTC(2026, 0, 31) * 1_000
const range = { fromUs: FROM_US, toUs: FROM_US + 3_600_000_000 }

function said(message: string, count: number, some: Partial<StoredRecord> = {}): StoredRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    ...sampleRecord({ timeUs: FROM_US + at * 1_000_000, message, environment: 'production', ...some }),
    id: `log_${message}_${at}`,
    pattern: toBigInt(patternOf(message).id).toString(16).padStart(16, '0'),
    fingerprint: null,
    receivedMs: 0,
  }))
}

const RECORDS = [
  ...said('order shipped', 168, { service: 'checkout' }),
  ...said('card declined', 3, { service: 'payments' }),
]

async function ask(text: string, records = RECORDS): Promise<string[]> {
  return (await find(text, records)).sentences
}

async function find(text: string, records = RECORDS) {
  const query = parseQuery(text)
  if (!query.ok) throw new Error(text)
  return await nearestMatches(recordsInMemory(records).logs, query.query, { range, signal: undefined })
}

describe('the nearest that there is', () => {
  it('is another form of a word, with its records', async () => {
    expect(await ask('orders')).toEqual(['Nothing matches "orders"; there is "order" (168 records).'])
  })

  it('can stand in place of the term that nothing matches', async () => {
    const query = 'level:info service:chekout declinde'
    const { nearest } = await find(query)
    expect(nearest.map(({ from, to, suggestions }) => [query.slice(from, to), suggestions])).toEqual([
      ['service:chekout', ['service:checkout']],
      ['declinde', ['declined']],
    ])
    expect((await find('kubernetes')).nearest).toEqual([])
  })

  it('has no place where the term was asked for beside the query', async () => {
    const query = parseQuery('service:chekout')
    if (!query.ok || query.query.root?.kind !== 'field') throw new Error('no term')
    const beside = { root: { ...query.query.root, span: NOWHERE } }
    const { sentences, nearest } = await nearestMatches(recordsInMemory(RECORDS).logs, beside, {
      range,
      signal: undefined,
    })
    expect(sentences).toEqual(['Nothing matches service:chekout; there is service:checkout (168 records).'])
    expect(nearest).toEqual([])
  })

  it('is a word with a letter changed', async () => {
    expect(await ask('declinde')).toEqual(['Nothing matches "declinde"; there is "declined" (3 records).'])
  })

  it('is the value of a field, whatever its case', async () => {
    expect(await ask('service:Checkout')).toEqual([
      'Nothing matches service:Checkout; there is service:checkout (168 records).',
    ])
  })

  it('is what a field of every record has, when nothing is like it', async () => {
    expect(await ask('service:zzz')).toEqual([
      'Nothing matches service:zzz; there is service:checkout (168 records), service:payments (3 records).',
    ])
  })

  it('is not made up: a word like no other, and an attribute that nothing has', async () => {
    expect(await ask('kubernetes')).toEqual(['Nothing matches "kubernetes".'])
    expect(await ask('tenant:acme')).toEqual(['Nothing matches tenant:acme.'])
  })

  it('says of each term what it matches, when only all of them together match nothing', async () => {
    expect(await ask('shipped service:payments')).toEqual([
      'Each term matches records by itself, but none matches them all: "shipped" (168), service:payments (3).',
    ])
  })

  it('names only the terms that match nothing', async () => {
    expect(await ask('shipped service:paiments')).toEqual([
      'Nothing matches service:paiments; there is service:payments (3 records).',
    ])
  })

  it('is told as a query has it, and a word of it never as one of the sentence', async () => {
    const records = [...said('there is nothing', 1), ...said('cart opened', 2, { service: 'web shop' })]
    expect(await ask('nothings', records)).toEqual(['Nothing matches "nothings"; there is "nothing" (1 record).'])
    expect(await ask('"no such"', records)).toEqual(['Nothing matches "no such".'])
    expect(await ask('service:"web shob"', records)).toEqual([
      'Nothing matches service:"web shob"; there is service:"web shop" (2 records).',
    ])
    const [long] = await ask(`service:"${'web '.repeat(100)}"`, records)
    expect(long).toMatch(/^Nothing matches service:"[^"]{90,100}…";/)
  })

  it('says nothing of a query that a long window without records matches', async () => {
    expect(await ask('orders', [])).toEqual(['Nothing matches "orders".'])
  })
})
