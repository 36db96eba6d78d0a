import { parseQuery } from '@tidemark/wire/query/parse'
import { expect, it } from 'vitest'
import { QUERY_EXAMPLES } from './query-examples.ts'

it.each(QUERY_EXAMPLES)('the example $query is a query, without anything to warn of', ({ query }) => {
  expect(parseQuery(query)).toMatchObject({ ok: true, warnings: [] })
})
