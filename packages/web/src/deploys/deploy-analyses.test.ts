import type { LikelyCause } from '@tidemark/wire/cause'
import { describe, expect, it } from 'vitest'
import { causeWords } from './deploy-analyses.tsx'

const words = (cause: Partial<LikelyCause>) =>
  causeWords({ kind: 'deploy', deployId: null, confidence: 'high', ...cause } as LikelyCause, 'dep_1')

describe('beside an analysis that began while a deploy ran', () => {
  it('stands whether that deploy is the cause', () => {
    expect(words({ deployId: 'dep_1' })).toBe('Likely this deploy')
    expect(words({ deployId: 'dep_1', confidence: 'low' })).toBe('Perhaps this deploy')
    expect(words({ deployId: 'dep_2', confidence: 'medium' })).toBe('Likely another deploy')
    expect(words({ kind: 'dependency', confidence: 'low' })).toBe('Perhaps a dependency')
    expect(words({ kind: 'unknown', confidence: 'low' })).toBe('Cause unknown')
  })
})
