import { describe, expect, it } from 'vitest'
import { type ConfidenceFacts, confidenceOf } from './confidence.ts'
import type { Rates } from './rates.ts'

const MINUTE_US = 60_000_000
const HOUR_US = 60 * MINUTE_US
const DEPLOYED_US = Date.UTC(2026, 0, 31, 12) * 1_000

function facts(change: Partial<ConfidenceFacts> = {}): ConfidenceFacts {
  const anchorUs = DEPLOYED_US + 4 * MINUTE_US
  return {
    source: 'recorded',
    sha: 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678',
    ref: 'main',
    startedUs: DEPLOYED_US,
    anchorUs,
    firstSeenUs: anchorUs,
    began: 'first',
    environment: 'production',
    environmentDefaulted: false,
    failedDeploys: [],
    ...change,
  }
}

function rates(before: [number, number], after: [number, number], existedBefore = false): Rates {
  return {
    before: { fromUs: DEPLOYED_US - HOUR_US, toUs: DEPLOYED_US, errors: before[0], records: before[1] },
    after: { fromUs: DEPLOYED_US, toUs: DEPLOYED_US + HOUR_US, errors: after[0], records: after[1] },
    existedBefore,
  }
}

describe('confidence in a correlated deploy', () => {
  it('is high for a new error right after it, and says why with numbers', () => {
    const known = { rates: rates([0, 900], [132, 950]), releases: [{ value: 'a1b2c3d', count: 132 }], elsewhere: [] }
    expect(confidenceOf(facts(known))).toMatchInlineSnapshot(`
      {
        "confidence": "high",
        "evidenceAgainst": [],
        "evidenceFor": [
          "The first error came 4 min after the deploy.",
          "It was never seen before the deploy.",
          "0 errors in the hour before the deploy, 132 in the hour after it.",
          "All 132 errors that name a release come from a1b2c3d.",
        ],
      }
    `)
  })

  it('is low for an old error with a steady rate, and says all that is against it', () => {
    const anchorUs = DEPLOYED_US + 30 * HOUR_US
    const old = facts({
      anchorUs,
      firstSeenUs: DEPLOYED_US - 72 * HOUR_US,
      began: 'quiet',
      environmentDefaulted: true,
      failedDeploys: [{ status: 'failed', deployedAtUs: anchorUs - 12 * MINUTE_US }],
      rates: rates([120, 900], [132, 950], true),
      releases: [{ value: 'ffffff0', count: 9 }],
      elsewhere: [{ environment: 'staging', count: 14 }],
    })
    expect(confidenceOf(old)).toMatchInlineSnapshot(`
      {
        "confidence": "low",
        "evidenceAgainst": [
          "The first error came only 30 h after the deploy.",
          "It is not new: first seen 4 d before it came back, after it had been quiet.",
          "120 errors in the hour before the deploy, 132 in the hour after it.",
          "The errors come from release ffffff0, none from a1b2c3d.",
          "The same errors occur where this revision was not deployed: 14 in staging.",
          "The sender named no environment; production is the default of the project.",
          "A deploy to the same environment failed 12 min before the first error.",
        ],
        "evidenceFor": [],
      }
    `)
  })

  it('is never high for a commit that nobody said was deployed', () => {
    expect(confidenceOf(facts()).confidence).toBe('high')
    expect(confidenceOf(facts({ source: 'inferred' })).confidence).toBe('medium')
  })

  it('does not take silence before the deploy for a sign', () => {
    const { evidenceFor, evidenceAgainst } = confidenceOf(facts({ rates: rates([0, 0], [5, 10]) }))
    expect(evidenceFor).toEqual(['The first error came 4 min after the deploy.'])
    expect(evidenceAgainst).toEqual([
      'Nothing was logged in the environment in the hour before the deploy, so there is nothing to compare with.',
    ])
  })

  it('compares releases only where both are revisions', () => {
    const against = (value: string, ref = 'main') =>
      confidenceOf(facts({ ref, releases: [{ value, count: 1 }] })).evidenceAgainst
    expect(against('1.4.2')).toEqual([])
    expect(against('0000000')).toHaveLength(1)
    const tagged = confidenceOf(facts({ ref: 'v1.4.2', releases: [{ value: 'v1.4.2', count: 3 }] }))
    expect(tagged.evidenceFor.at(-1)).toBe('All 3 errors that name a release come from a1b2c3d.')
  })
})
