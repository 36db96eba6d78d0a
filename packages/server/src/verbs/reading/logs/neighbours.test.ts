import { allOf } from '@tidemark/wire/query/ast'
import { expect, it } from 'vitest'
import { equals } from '../../../analysis/field-query.ts'
import type { StoredRecord } from '../../../logstore/questions.ts'
import { neighboursBy } from './neighbours.ts'

const record = { environment: 'production', host: 'a', traceId: 't1' } as StoredRecord
const here = equals('environment', 'production')

it('finds the neighbours of a record in its environment, and those of its trace everywhere', () => {
  expect(neighboursBy(record, 'time')).toEqual(here)
  expect(neighboursBy(record, 'host')).toEqual(allOf([here, equals('host', 'a')]))
  expect(neighboursBy(record, 'trace')).toEqual(equals('traceId', 't1'))
})

it('finds none by what the record does not have', () => {
  const bare = { ...record, host: '', traceId: '' }
  expect([neighboursBy(bare, 'host'), neighboursBy(bare, 'trace')]).toEqual([null, null])
})
