import { describe, expect, it } from 'vitest'
import { shortPlace } from './commit-line.tsx'

describe('the place that a commit changes', () => {
  it('is shown whole when it is short', () => {
    expect(shortPlace('src/cart/totals.ts:42')).toBe('src/cart/totals.ts:42')
  })

  it('loses folders at its beginning when it is long, so that the file and its line stay', () => {
    const place = `packages/${'shop-of-a-very-large-company/'.repeat(4)}src/cart/totals.ts:42`
    expect(shortPlace(place)).toBe('…/shop-of-a-very-large-company/src/cart/totals.ts:42')
  })

  it('is cut inside of a name that is too long by itself', () => {
    const short = shortPlace(`${'x'.repeat(200)}.ts:42`)
    expect(short).toMatch(/^…x+\.ts:42$/)
    expect(short.length).toBeLessThan(70)
    expect(shortPlace('😀'.repeat(40).concat('x'))).toBe(`…${'😀'.repeat(31)}x`)
  })
})
