import { INGEST_REFUSALS } from '@tidemark/wire/people/ingest-refusal'
import { expect, it } from 'vitest'
import { REFUSAL_WORDS, refusedWords } from './refusal-words.ts'

it('counts requests, and records where the others of their batch were stored', () => {
  expect(refusedWords({ reason: 'too_large' }, 1)).toBe('1 request')
  expect(refusedWords({ reason: 'records' }, 1_204)).toBe('1,204 records')
})

it('says for every reason what helps', () => {
  expect(INGEST_REFUSALS.map((reason) => REFUSAL_WORDS[reason].cure.endsWith('.'))).not.toContain(false)
})
