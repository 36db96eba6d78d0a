import { expect, it } from 'vitest'
import { ignoringRules } from './ignoring-rules.ts'

it('offers the narrowest rule first, and none that would ignore everything', () => {
  const labels = (type: string, service: string) => ignoringRules({ type, service }).map(({ label }) => label)
  expect(labels('TypeError', 'cart')).toEqual([
    'TypeError of cart',
    'TypeError of every service',
    'Every error of cart',
  ])
  expect(labels('', 'cart')).toEqual(['Every error of cart'])
  expect(labels('TypeError', '')).toEqual(['TypeError of every service'])
  expect(labels('', '')).toEqual([])
})
