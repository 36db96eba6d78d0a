import { ANALYSIS_STATES } from '@tidemark/wire/analyses/analysis-state'
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { byRank, type RankFacts, rankOf } from './rank.ts'

const TO_US = Date.UTC(2026, 0, 31, 12) * 1_000

function facts(change: Partial<RankFacts> = {}): RankFacts {
  return {
    state: 'ongoing',
    began: 'first',
    beganInside: false,
    level: 'error',
    firstSeenUs: TO_US - 48 * HOUR_US,
    lastSeenUs: TO_US - MINUTE_US,
    range: { fromUs: TO_US - 24 * HOUR_US, toUs: TO_US },
    elapsedUs: null,
    trend: [5, 5, 5, 5, 5, 5, 5, 5],
    count: 1_000,
    ...change,
  }
}

describe('the rank of an analysis', () => {
  it('puts what is new after a deploy and what came back first, and says why', () => {
    const soon = 4 * MINUTE_US
    const listed = [
      facts({ state: 'ignored' }),
      facts(),
      facts({ state: 'regressed', began: 'resolved' }),
      facts({ state: 'new', elapsedUs: 30 * HOUR_US }),
      facts({ trend: [0, 1, 0, 1, 0, 0, 20, 30] }),
      facts({ state: 'new', elapsedUs: soon }),
      facts({ state: 'resolved' }),
      facts({ level: 'fatal' }),
      facts({ state: 'regressed', began: 'quiet', elapsedUs: soon, trend: [1, 0, 0, 0, 0, 0, 0, 0] }),
    ].map((one, index) => ({ id: `ana_${index}`, ...rankOf(one) }))
    expect(listed.toSorted(byRank).map(({ reason }) => reason)).toMatchInlineSnapshot(`
      [
        "new 4 min after a deploy, 40 errors in the window",
        "came back after a quiet time, 4 min after a deploy, 1 error in the window",
        "came back after it was resolved, 40 errors in the window",
        "new, 40 errors in the window",
        "ongoing and spiked, 52 errors in the window",
        "ongoing, fatal, 40 errors in the window",
        "ongoing, 40 errors in the window",
        "resolved, 40 errors in the window",
        "ignored, 40 errors in the window",
      ]
    `)
  })

  it('follows the order of states where nothing else is known', () => {
    const ranked = ANALYSIS_STATES.map((state) => ({ state, score: rankOf(facts({ state })).score }))
    const byScore = ranked.toSorted((one, other) => other.score - one.score).map(({ state }) => state)
    expect(byScore).toEqual(ANALYSIS_STATES)
    expect(new Set(ranked.map(({ score }) => score)).size).toBe(ANALYSIS_STATES.length)
  })

  it('puts everything open that began inside the window before what began earlier', () => {
    const earlier = { ...facts({ state: 'new', level: 'fatal', elapsedUs: MINUTE_US, trend: [0, 0, 0, 9_000] }) }
    const inside = facts({ beganInside: true, trend: [0, 0, 1, 0], lastSeenUs: TO_US - 20 * HOUR_US })
    expect(rankOf(inside).score).toBeGreaterThan(rankOf(earlier).score)
    for (const state of ['resolved', 'ignored'] as const) {
      expect(rankOf({ ...inside, state }).score).toBeLessThan(rankOf(facts()).score)
    }
  })

  it('does not move when an error comes after the window', () => {
    const known = facts({ trend: [3, 2, 0, 0], lastSeenUs: TO_US - 10 * HOUR_US })
    expect(rankOf({ ...known, lastSeenUs: TO_US + HOUR_US, count: 1_001 })).toEqual(rankOf(known))
  })

  it('puts what goes on before what has stopped, though that was more', () => {
    const stopped = rankOf(
      facts({ trend: [0, 0, 0, 30, 33, 0, 0, 0], range: { fromUs: TO_US - 48 * HOUR_US, toUs: TO_US } }),
    )
    const live = rankOf(
      facts({ trend: [5, 6, 5, 5, 6, 5, 5, 5], range: { fromUs: TO_US - 48 * HOUR_US, toUs: TO_US } }),
    )
    expect(live.score).toBeGreaterThan(stopped.score)
  })

  it('calls no spike what only began inside the window', () => {
    const trend = [0, 0, 0, 0, 0, 0, 20, 30]
    expect(rankOf(facts({ trend })).reason).toContain('spiked')
    expect(rankOf(facts({ trend, firstSeenUs: TO_US - 5 * HOUR_US })).reason).not.toContain('spiked')
    const grown = [0, 0, 0, 0, 2, 3, 2, 30]
    expect(rankOf(facts({ trend: grown, firstSeenUs: TO_US - 11 * HOUR_US })).reason).toContain('spiked')
  })

  it('goes by what is stored when the records cannot be asked', () => {
    expect(rankOf(facts({ trend: null })).reason).toBe('ongoing, 1,000 errors in all')
    const recent = rankOf(facts({ trend: null })).score
    expect(rankOf(facts({ trend: null, lastSeenUs: TO_US - 20 * HOUR_US })).score).toBeLessThan(recent)
  })

  it('breaks ties by id, as other lists do', () => {
    const same = ['ana_a', 'ana_c', 'ana_b'].map((id) => ({ id, score: 1 }))
    expect(same.sort(byRank).map(({ id }) => id)).toEqual(['ana_c', 'ana_b', 'ana_a'])
  })
})
