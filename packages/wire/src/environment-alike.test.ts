import { expect, it } from 'vitest'
import { isAlike } from './environment-alike.ts'

it('reads two names as one where a person would', () => {
  const pairs = [
    ['prod', 'production'],
    ['Staging', 'staging'],
    ['pre-prod', 'PreProd'],
  ] as const
  for (const [one, other] of pairs) expect(isAlike(one, other), `${one} ${other}`).toBe(true)
  for (const [one, other] of [
    ['eu', 'europe'],
    ['dev', 'production'],
    ['', 'x'],
  ] as const) {
    expect(isAlike(one, other), `${one} ${other}`).toBe(false)
  }
})
