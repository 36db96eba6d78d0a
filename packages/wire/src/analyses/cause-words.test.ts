import { expect, it } from 'vitest'
import { causedWords, causeHeadline, causeLine, certaintyWords, NOTHING_CHANGED } from './cause-words.ts'

it('a cause is told with its kind and how sure it is, an unknown one by its title alone', () => {
  expect(causeHeadline({ kind: 'deploy', confidence: 'high' }, 'Deploy of 4f2a9c1')).toBe(
    'Deploy of 4f2a9c1 (deploy, high confidence)',
  )
  expect(causeHeadline({ kind: 'unknown', confidence: 'low' }, NOTHING_CHANGED)).toBe(NOTHING_CHANGED)
  expect(certaintyWords({ kind: 'unknown', confidence: 'low' })).toBe('')
})

it('a cause of little confidence is not called likely', () => {
  expect([causedWords('high'), causedWords('medium')]).toEqual(['Likely caused by', 'Likely caused by'])
  expect(causedWords('low')).toBe('Perhaps caused by')
  expect(causeLine({ kind: 'load', confidence: 'medium' }, 'x')).toBe('Likely cause: x (load, medium confidence)')
  expect(causeLine({ kind: 'load', confidence: 'low' }, 'x')).toBe('Possible cause: x (load, low confidence)')
})

it('where nothing is likely to have caused it, that is said in one sentence', () => {
  expect(causeLine({ kind: 'unknown', confidence: 'low' }, NOTHING_CHANGED)).toBe(
    'No likely cause: nothing is known to have changed before it',
  )
})
