import { MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { type CommitAt, type CorrelationFound, correlationOf } from './correlation.ts'

const NOW_US = Date.UTC(2026, 0, 31, 12) * 1_000
const moment = { environment: 'production', anchorUs: NOW_US }
const nothing: CorrelationFound = { deploy: null, commit: null, deploysByEnvironment: [], firstDeploy: null }

function deploy(change: Partial<Deploy> = {}): Deploy {
  return {
    id: 'dep_1',
    projectId: 'prj_1' as ProjectId,
    sha: 'a1b2c3d4e5f6',
    environment: 'production',
    deployedAtUs: NOW_US - 4 * MINUTE_US,
    status: 'succeeded',
    ref: null,
    message: null,
    author: null,
    externalId: null,
    url: null,
    metadata: null,
    createdAt: '2026-01-31T11:56:00.000Z',
    updatedAt: '2026-01-31T11:56:00.000Z',
    ...change,
  }
}

describe('the deploy an error is correlated with', () => {
  it('is the recorded one, with the time from it to the error', () => {
    const found = { ...nothing, deploy: deploy() }
    expect(correlationOf(moment, found)).toEqual({ source: 'recorded', deploy: deploy(), elapsedUs: 4 * MINUTE_US })
  })

  it('is a commit only where no deploy was recorded', () => {
    const commit: CommitAt = { sha: 'c0ffee1', committedAtUs: NOW_US - 7, branch: 'main', subject: 's', author: 'a' }
    expect(correlationOf(moment, { ...nothing, commit })).toEqual({ source: 'inferred', commit, elapsedUs: 7 })
    expect(correlationOf(moment, { ...nothing, commit, deploy: deploy() }).source).toBe('recorded')
  })
})

describe('why there is no correlated deploy', () => {
  const why = (found: Partial<CorrelationFound>, environment = 'production') => {
    const correlation = correlationOf({ ...moment, environment }, { ...nothing, ...found })
    return correlation.source === null ? correlation.reason : correlation
  }
  const counts = (...pairs: [string, number][]) => pairs.map(([environment, deploys]) => ({ environment, deploys }))

  it('is said for each case', () => {
    expect(why({})).toMatchInlineSnapshot(`"no deploy was recorded yet"`)
    const later = deploy({ deployedAtUs: NOW_US + 120 * MINUTE_US })
    expect(why({ deploysByEnvironment: counts(['production', 3]), firstDeploy: later })).toMatchInlineSnapshot(
      `"the first deploy in production came 2 h after this error"`,
    )
    expect(why({ deploysByEnvironment: counts(['Staging', 3]) }, 'staging')).toMatchInlineSnapshot(
      `"no deploy in staging; 3 deploys in Staging; names match exactly"`,
    )
    expect(why({ deploysByEnvironment: counts(['eu', 5], ['prod', 1]) })).toMatchInlineSnapshot(
      `"no deploy in production; 1 deploy in prod; names match exactly"`,
    )
    expect(why({ deploysByEnvironment: counts(['eu', 5], ['us', 2]) })).toMatchInlineSnapshot(
      `"no deploy in production; 5 deploys in eu, 2 deploys in us"`,
    )
    expect(why({ deploysByEnvironment: counts(['production ', 1]) })).toMatchInlineSnapshot(
      `"no deploy in production; 1 deploy in "production "; names match exactly"`,
    )
    expect(why({ commit: { reason: 'it is still being copied' } })).toMatchInlineSnapshot(
      `"no deploy was recorded yet; the repository cannot tell: it is still being copied"`,
    )
  })
})
