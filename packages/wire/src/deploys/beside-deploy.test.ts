import { describe, expect, it } from 'vitest'
import { besideDeploy } from './beside-deploy.ts'

describe('the beginning of an analysis beside a deploy', () => {
  it.each([
    [252, '4 min 12 s after it'],
    [0, '0 s after it'],
    [-40.5, '40 s before it was recorded'],
  ])('of %d seconds is %s', (seconds, words) => {
    expect(besideDeploy(seconds)).toBe(words)
  })
})
