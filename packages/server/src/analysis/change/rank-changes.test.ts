import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { RankedCause } from '../cause/likely-cause.ts'
import { type Change, changeOf } from './change.ts'
import { closeness, KIND_WEIGHTS } from './change-weights.ts'
import { rankAroundCause, rankChanges } from './rank-changes.ts'

const AT = 100 * HOUR_US

function change(kind: Change['kind'], minutesBefore: number, some: Partial<Change> = {}): Change {
  const atUs = AT - minutesBefore * MINUTE_US
  return changeOf({ kind, title: `${kind} ${minutesBefore}`, reason: 'because', strength: 1, atUs, ...some })
}
const titles = (changes: readonly { title: string }[]) => changes.map(({ title }) => title)

describe('changes before a moment', () => {
  it('come the closer first, of one kind', () => {
    const ranked = rankChanges([change('deploy', 300), change('deploy', 5), change('deploy', 60)], AT)
    expect(titles(ranked)).toEqual(['deploy 5', 'deploy 60', 'deploy 300'])
  })

  it('come by kind, at one time: what somebody did before what it did', () => {
    const kinds = ['pattern', 'host', 'errors', 'configuration', 'deploy'] as const
    expect(
      titles(
        rankChanges(
          kinds.map((kind) => change(kind, 10)),
          AT,
        ),
      ),
    ).toEqual(['deploy 10', 'configuration 10', 'errors 10', 'host 10', 'pattern 10'])
  })

  it('come by strength, and a deploy that is known to have caused what is asked about before a later one', () => {
    const early = change('deploy', 600, { isTimely: true })
    const late = change('deploy', 5, { strength: 0.4 })
    expect(titles(rankChanges([late, early], AT))).toEqual(['deploy 600', 'deploy 5'])
  })

  it('have scores from 0 to 1 that say the order, whatever is given first', () => {
    const all = [change('deploy', 0), change('pattern', 5_000, { strength: 0.01 }), change('volume', 30)]
    const ranked = rankChanges(all, AT)
    expect(ranked).toEqual(rankChanges(all.toReversed(), AT))
    for (const { score } of ranked) expect(score).toBeGreaterThanOrEqual(0)
    for (const { score } of ranked) expect(score).toBeLessThanOrEqual(1)
  })
})

describe('changes around an analysis', () => {
  const cause = (title: string, score: number, some: Partial<RankedCause> = {}): RankedCause => ({
    kind: 'dependency',
    title,
    deployId: null,
    sha: null,
    atUs: AT,
    findings: [],
    score,
    suspect: null,
    isInferred: false,
    isAnswer: false,
    reason: 'There is less evidence for it.',
    ...some,
  })
  const around = (weighed: RankedCause[], changes: Change[], kind: 'dependency' | 'unknown' = 'dependency') =>
    rankAroundCause(
      { weighed, likelyCause: { kind, confidence: 'high' }, environment: 'production', onsetUs: AT },
      changes,
    )

  it('begin with the likely cause, then its rivals, then all else, in falling scores', () => {
    const weighed = [
      cause('A connection is refused', 7, { isAnswer: true, reason: 'The errors say so.' }),
      cause('Deploy of aaaaaaa', -2, { kind: 'deploy', deployId: 'dep_1', sha: 'aaaaaaa' }),
    ]
    const ranked = around(weighed, [change('deploy', 1, { deployId: 'dep_2' }), change('pattern', 1)])
    expect(ranked.map(({ title, role }) => [title, role])).toEqual([
      ['A connection is refused', 'cause'],
      ['Deploy of aaaaaaa', 'rival'],
      ['deploy 1', null],
      ['pattern 1', null],
    ])
    expect(ranked[0]).toMatchObject({
      score: 0.95,
      reason: 'The likely cause, with high confidence: The errors say so.',
    })
    const scores = ranked.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  it('tell a cause that is among the changes once, with what is known of the change', () => {
    const known = change('deploy', 9, { deployId: 'dep_1', status: 'failed', environment: 'prod' })
    const [only, ...others] = around([cause('x', 3, { kind: 'deploy', deployId: 'dep_1', isAnswer: true })], [known])
    expect(only).toMatchObject({ role: 'cause', deployId: 'dep_1', status: 'failed', environment: 'prod' })
    expect(others).toEqual([])
  })

  it('tell no cause first when none is known', () => {
    const ranked = around([cause('x', 0.5)], [], 'unknown')
    expect(ranked).toMatchObject([{ role: 'rival', score: 0.4 }])
  })
})

it('weighs time gently: a change of a day ago still counts a quarter', () => {
  expect(closeness(0)).toBe(1)
  expect(closeness(24 * HOUR_US)).toBeGreaterThan(0.25)
  expect(Math.max(...Object.values(KIND_WEIGHTS))).toBe(1)
})
