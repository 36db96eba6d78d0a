import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { expect, it } from 'vitest'
import { offeredFields } from './offered-fields.ts'

const field = (name: string, type: 'text' | 'number', coverage: number): FieldsAnswer['fields'][number] => ({
  name,
  kind: 'attribute',
  type,
  coverage,
  sampled: 1_000,
  distinct: 0,
  values: [],
})
const FOUND = [field('region', 'text', 1), field('duration', 'number', 0.9), field('http.duration', 'number', 0.1)]

it('offers what was found first, then our own fields that group anything', () => {
  const names = offeredFields(FOUND, '', false).map(({ name }) => name)
  expect(names.slice(0, 4)).toEqual(['region', 'duration', 'http.duration', 'level'])
  expect(names).not.toContain('id')
  expect(names).not.toContain('pattern')
})

it('offers names that begin so before those that only contain it', () => {
  expect(offeredFields(FOUND, 'DUR', false).map(({ name }) => name)).toEqual(['duration', 'http.duration'])
})

it('offers only numbers where numbers are needed', () => {
  expect(offeredFields(FOUND, '', true).map(({ name }) => name)).toEqual(['duration', 'http.duration'])
})
