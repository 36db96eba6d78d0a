import { describe, expect, it } from 'vitest'
import type { AnalysisDetail } from './analysis.ts'
import { isCorrelatedCause } from './is-correlated-cause.ts'

type Cause = Partial<AnalysisDetail['likelyCause']>
type Deploy = Partial<NonNullable<AnalysisDetail['correlatedDeploy']>>

const isCause = (likelyCause: Cause, correlatedDeploy: Deploy | null) =>
  isCorrelatedCause({ likelyCause, correlatedDeploy } as AnalysisDetail)

describe('the correlated deploy', () => {
  it('is the likely cause when the cause names it', () => {
    expect(isCause({ kind: 'deploy', deployId: 'one' }, { deployId: 'one' })).toBe(true)
  })

  it('is not when another deploy, or none, is the cause', () => {
    expect(isCause({ kind: 'deploy', deployId: 'other' }, { deployId: 'one' })).toBe(false)
    expect(isCause({ kind: 'dependency', deployId: null, sha: null }, { deployId: 'one', sha: 'a' })).toBe(false)
    expect(isCause({ kind: 'unknown', deployId: null, sha: null }, null)).toBe(false)
  })

  it('that was inferred is the likely cause when the cause is the same commit', () => {
    expect(isCause({ kind: 'commit', deployId: null, sha: 'a' }, { deployId: null, sha: 'a' })).toBe(true)
    expect(isCause({ kind: 'commit', deployId: null, sha: 'b' }, { deployId: null, sha: 'a' })).toBe(false)
    expect(isCause({ kind: 'unknown', deployId: null, sha: null }, { deployId: null, sha: 'a' })).toBe(false)
  })
})
