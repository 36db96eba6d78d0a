import type { AnalysesAnswer } from '@tidemark/wire/analysis'
import { describe, expect, it } from 'vitest'
import { countByDeploy, introducedWords } from './introduced.ts'

const began = (...deployIds: (string | null | undefined)[]) =>
  deployIds.map((deployId) => ({
    correlatedDeploy: deployId === undefined ? null : { deployId },
  })) as AnalysesAnswer['analyses']

describe('what a deploy introduced', () => {
  it('counts the analyses that are put down to it, and none that are inferred or without a deploy', () => {
    const introduced = countByDeploy({ analyses: began('dep_1', null, 'dep_2', undefined, 'dep_1'), nextCursor: null })
    expect(['dep_1', 'dep_2', 'dep_3'].map((id) => introducedWords(introduced, id))).toEqual([
      '2 new analyses',
      '1 new analysis',
      undefined,
    ])
  })

  it('says when there may be more', () => {
    const introduced = countByDeploy({ analyses: began('dep_1'), nextCursor: 'more' })
    expect(introducedWords(introduced, 'dep_1')).toBe('1+ new analyses')
  })
})
