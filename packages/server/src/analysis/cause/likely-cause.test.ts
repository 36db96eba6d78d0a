import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { Deploy } from '../../model/deploy.ts'
import type { Nearness, Suspect } from '../suspect/suspects.ts'
import type { CauseFacts, DeployFacts } from './cause-facts.ts'
import { explain } from './likely-cause.ts'
import { troubleOf } from './outside-trouble.ts'
import type { StandoutFound } from './standouts.ts'

const ONSET_US = Date.UTC(2026, 0, 31, 12) * 1_000

function deployed(
  minutesBefore: number,
  change: Partial<DeployFacts> & { sha?: string; environment?: string } = {},
): DeployFacts {
  const { sha = `${minutesBefore}`.padStart(7, 'a1'), environment = 'production', ...facts } = change
  const deploy = {
    id: `dep_${minutesBefore}`,
    sha,
    ref: 'main',
    environment,
    status: 'succeeded',
    deployedAtUs: ONSET_US - minutesBefore * MINUTE_US,
  } as Deploy
  return {
    deploy,
    place: 'same',
    step: null,
    suspects: [],
    looked: null,
    isRollback: false,
    opportunities: null,
    alsoDeployedTo: [],
    ...facts,
  }
}

function touching(
  nearness: Nearness,
  reason = `changes the ${nearness}`,
): Pick<DeployFacts, 'suspects' | 'looked' | 'step'> {
  const commit = {
    sha: 'c'.repeat(40),
    subject: 'Round prices',
    authorName: 'ada',
    committedAtUs: 0,
    authoredAtUs: 0,
    parents: [],
  }
  const suspect: Suspect = { commit, deployId: null, file: 'src/pay.ts', line: 7, reason, nearness, score: 1 }
  return { suspects: [suspect], looked: 'stack', step: 'forward' }
}

const TOUCHES_NOTHING = { suspects: [], looked: 'stack', step: 'forward' } as const
const NORTHWIND: StandoutFound = {
  field: { kind: 'attribute', name: 'tenant' },
  role: 'data',
  value: 'northwind',
  errors: 230,
  errorsWithField: 230,
  others: 0,
  othersWithField: 4_100,
  weight: 900,
}

/** A new error, 60 in an hour that is not over, of a service that logged before. */
function facts(change: Partial<CauseFacts> = {}): CauseFacts {
  return {
    environment: 'production',
    environmentDefaulted: false,
    service: 'payments',
    firstSeenUs: ONSET_US,
    course: {
      onsetUs: ONSET_US,
      basePerHour: 0,
      peak: { atUs: ONSET_US, count: 5, spanUs: MINUTE_US },
      count: 60,
      untilUs: ONSET_US + HOUR_US,
      lastUs: ONSET_US + HOUR_US,
      isQuiet: false,
      isOver: false,
    },
    end: { kind: 'going' },
    trouble: null,
    deploys: [],
    correlatedId: change.deploys?.find(({ place }) => place === 'same')?.deploy.id ?? null,
    commit: null,
    errorReleases: [],
    otherReleases: [],
    elsewhere: [],
    alongside: [],
    standouts: [],
    configuration: [],
    load: null,
    operation: null,
    sinceOnset: { errors: 60, well: 540 },
    hasRecordsBefore: true,
    ...change,
  }
}

const cause = (change: Partial<CauseFacts>) => explain(facts(change)).likelyCause

describe('a deploy is told', () => {
  it('with high confidence when its commit changes the line, minutes before', () => {
    const told = cause({ deploys: [deployed(4, touching('line'))] })
    expect(told).toMatchObject({
      kind: 'deploy',
      deployId: 'dep_4',
      confidence: 'high',
      commit: { title: 'Round prices', file: 'src/pay.ts', line: 7 },
      title: 'Deploy of a1a1a14 to production, 4 min before the errors in payments began',
      evidenceAgainst: [],
    })
    expect(told.evidenceFor).toContain('In payments the first error came 4 min after the deploy.')
  })

  it('with the service in which errors began, or began to grow, where one is named', () => {
    const grown = { ...facts().course, basePerHour: 10 }
    expect(cause({ deploys: [deployed(4)], course: grown })).toMatchObject({
      title: 'Deploy of a1a1a14 to production, 4 min before the errors in payments began to grow',
      evidenceFor: ['In payments the errors began to grow 4 min after the deploy.', expect.any(String)],
    })
    const unnamed = cause({ deploys: [deployed(4)], service: '' })
    expect(unnamed.title).toMatch(/before the errors began$/)
    expect(unnamed.evidenceFor).toContain('The first error came 4 min after the deploy.')
  })

  it('as before or after the error that brought it back, where it is not the first', () => {
    const told = explain(facts({ deploys: [deployed(4), deployed(-3)], firstSeenUs: 0 }))
    expect(told.likelyCause.evidenceFor).toContain(
      'In payments the error that brought it back came 4 min after the deploy.',
    )
    const late = told.likelyCause.rivals.map(({ reason }) => reason).join()
    expect(late).toContain('It was recorded 3 min after the error that brought it back.')
  })

  it('with less when only the time speaks for it', () => {
    expect(cause({ deploys: [deployed(4)] })).toMatchObject({ kind: 'deploy', confidence: 'medium' })
    const alone = cause({ deploys: [deployed(4)], hasRecordsBefore: false })
    expect(alone).toMatchObject({ kind: 'deploy', confidence: 'low' })
    expect(alone.evidenceAgainst.join()).toContain('Nothing was logged in the environment before')
  })

  it('rather than a later one whose commits touch nothing of it', () => {
    const told = cause({ deploys: [deployed(2, TOUCHES_NOTHING), deployed(8, touching('function'))] })
    expect(told).toMatchObject({ deployId: 'dep_8', confidence: 'high' })
    expect(told.rivals[0]).toMatchObject({ reason: 'No commit of this deploy touches anything in this stack.' })
  })

  it('when what fails ran for the first time since, however long that took', () => {
    const operation = { field: { kind: 'attribute', name: 'job' }, value: 'nightly' } as const
    const first = deployed(9 * 60, { ...touching('function'), opportunities: { records: 0, isSampled: false } })
    const told = cause({ operation, deploys: [first] })
    expect(told).toMatchObject({ deployId: 'dep_540', confidence: 'high' })
    expect(told.evidenceFor).toContain(
      'In payments the first error came 9 h after the deploy, on the first run of job=nightly since.',
    )
  })

  it('when its release fails while another went well at the same time', () => {
    const one = deployed(20, { sha: 'aaaaaaa1' })
    const releases = [{ value: 'aaaaaaa1', count: 60 }]
    const only = cause({ deploys: [one], errorReleases: releases, otherReleases: releases })
    const told = cause({
      deploys: [one],
      errorReleases: releases,
      otherReleases: [...releases, { value: 'bbbbbbb2', count: 900 }],
    })
    expect([only.confidence, told.confidence]).toEqual(['medium', 'high'])
    expect(only.evidenceFor.join()).not.toContain('release')
    expect(told.evidenceFor[0]).toContain('while 900 records of other releases went well')
  })

  it('when it was recorded under another spelling, and the errors name its revision', () => {
    const alike = deployed(5, { sha: 'aaaaaaa1', environment: 'prod', place: 'alike' })
    const old = deployed(3_000, { sha: 'bbbbbbb2' })
    const told = explain(facts({ deploys: [alike, old], errorReleases: [{ value: 'aaaaaaa1', count: 60 }] }))
    expect(told.likelyCause).toMatchObject({ kind: 'deploy', deployId: 'dep_5' })
    expect(told.correlated).toMatchObject({ confidence: 'low' })
    expect(told.correlated.evidenceAgainst).toContain('In payments the first error came only 2 d 2 h after the deploy.')
  })

  it('by the name of a rollback where it is one, also when no commits are known', () => {
    expect(cause({ deploys: [deployed(4)] }).title).toMatch(/^Deploy of /)
    expect(cause({ deploys: [deployed(4, { isRollback: true })] }).title).toMatch(/^Rollback to /)
  })

  it('with more confidence when a rollback ended it', () => {
    const rollback = deployed(-30).deploy
    const end = { kind: 'deploy', deploy: rollback, isRollback: true } as const
    expect(cause({ deploys: [deployed(4)], end })).toMatchObject({ deployId: 'dep_4', confidence: 'high' })
  })
})

describe('a deploy is not told', () => {
  it('for trouble that comes from outside, in several services at once', () => {
    const trouble = troubleOf({ type: 'Error', message: 'connect ECONNREFUSED 10.0.0.9:5432' })!
    const told = explain(
      facts({
        trouble,
        deploys: [deployed(3)],
        alongside: [{ service: 'orders', environment: 'production', trouble }],
      }),
    )
    expect(told.likelyCause).toMatchObject({ kind: 'dependency', confidence: 'high', deployId: null })
    expect(told.correlated.confidence).toBe('low')
    expect(told.likelyCause.rivals[0]).toMatchObject({ kind: 'deploy' })
  })

  it('for what fails whoever calls it, though a commit is near the line that calls it', () => {
    const trouble = troubleOf({ type: 'Error', message: 'connect ECONNREFUSED 10.0.0.9:5432' })!
    const other = troubleOf({ type: 'Error', message: 'connect ECONNREFUSED 10.0.0.7:6379' })!
    const told = (alongside: CauseFacts['alongside']) =>
      explain(
        facts({ trouble, alongside, load: { before: 1_000, after: 3_000 }, deploys: [deployed(3, touching('near'))] }),
      )
    const place = { service: 'orders', environment: 'production' }
    expect(told([{ ...place, trouble: other }]).likelyCause.evidenceAgainst.join()).not.toContain('in orders too')
    const same = told([{ ...place, trouble }])
    expect(same.likelyCause).toMatchObject({ kind: 'dependency', deployId: null })
    expect(same.correlated.evidenceAgainst).toContain('10.0.0.9:5432 began to fail within minutes in orders too.')
    expect(told([{ ...place, environment: 'staging', trouble }]).likelyCause.kind).toBe('deploy')
  })

  it.each([
    ['the machine itself', 'connect ECONNREFUSED 127.0.0.1:5432', 'orders'],
    ['a service that fails too', 'connect ECONNREFUSED orders:8080', 'orders'],
  ])('but is where what all call is %s', (_, message, service) => {
    const trouble = troubleOf({ type: 'Error', message })!
    expect(trouble.peer).not.toBe('')
    const alongside = ['web', service].map((one) => ({ service: one, environment: 'production', trouble }))
    const { correlated } = explain(facts({ trouble, alongside, deploys: [deployed(3, touching('near'))] }))
    expect(correlated.evidenceAgainst.join()).not.toContain('began to fail')
  })

  it('for memory that ran out when it brought nothing to the service, else it may leak', () => {
    const trouble = troubleOf({ type: 'Error', message: 'JavaScript heap out of memory' })!
    const told = (change: Partial<DeployFacts>) => cause({ trouble, deploys: [deployed(6, change)] }).kind
    expect(told({ suspects: [], looked: 'service', step: 'forward' })).toBe('environment')
    expect(told({ suspects: [], looked: null })).toBe('deploy')
    expect(told(touching('service'))).toBe('deploy')
  })

  it('for an expired certificate, which is of the environment', () => {
    const trouble = troubleOf({ type: 'Error', message: 'certificate has expired' })!
    expect(cause({ trouble, deploys: [deployed(3)] })).toMatchObject({ kind: 'environment' })
  })

  it('when the same went well many times between it and the errors', () => {
    const long = deployed(180, { opportunities: { records: 1_620, isSampled: false } })
    const told = explain(facts({ deploys: [long] }))
    expect(told.likelyCause).toMatchObject({ kind: 'unknown', title: 'Nothing that changed explains it' })
    expect(told.correlated.evidenceAgainst[0]).toContain('where some 162 failures would have been expected')
    expect(told.likelyCause.rivals).toHaveLength(1)
  })

  it('when one tenant alone fails, unless its commit touches the line', () => {
    const standouts = [NORTHWIND]
    const told = cause({ standouts, deploys: [deployed(4)] })
    expect(told).toMatchObject({ kind: 'data', title: 'Data with tenant=northwind' })
    expect(told.evidenceFor).toContain(
      'tenant=northwind: 230 of 230 errors, 0 of 4,100 other records that have tenant.',
    )
    expect(cause({ standouts, deploys: [deployed(4, touching('line'))] })).toMatchObject({ kind: 'deploy' })
  })

  it('when many errors are of one tenant alone and its commit touches another place of the file', () => {
    const told = (errors: number) =>
      cause({
        standouts: [{ ...NORTHWIND, errors, errorsWithField: errors }],
        deploys: [deployed(4, touching('file'))],
      }).kind
    expect([told(31), told(9)]).toEqual(['data', 'deploy'])
  })

  it('when a setting changed at a start that no deploy explains', () => {
    const configuration = [{ name: 'db.pool', from: '20', to: '2', atUs: ONSET_US - 2 * MINUTE_US }]
    const told = cause({ configuration, deploys: [deployed(240)] })
    expect(told).toMatchObject({ kind: 'configuration', title: 'db.pool changed from 20 to 2 in payments' })
    const both = cause({ configuration, deploys: [deployed(3, touching('line'))] })
    expect(both.kind).toBe('deploy')
    const against = (minutesBefore: number) =>
      cause({ configuration, deploys: [deployed(minutesBefore, TOUCHES_NOTHING)] }).evidenceAgainst
    expect(against(3)).toContain('A deploy had just gone out.')
    expect(against(1.5)).toContain('A deploy was going out.')
  })

  it('when an old error grows with the load', () => {
    const course = { ...facts().course, basePerHour: 10 }
    const told = cause({ course, firstSeenUs: 0, load: { before: 1_000, after: 6_000 }, deploys: [deployed(300)] })
    expect(told).toMatchObject({ kind: 'load', title: '6 times the usual load' })
  })

  it.each([
    [6, 'medium', 'For: The errors grew by as much: 6 times.'],
    [9, 'medium', 'For: The errors grew by as much: 9 times.'],
    [11, 'medium', 'For: The errors grew 11 times, the load 6 times.'],
    [2.3, 'low', 'Against: The errors grew 2.3 times only, the load 6 times.'],
    [20, 'low', 'Against: The errors grew 20 times, far more than the load: 6 times.'],
  ] as const)('and with how far the errors grew with it: %s times is %s confidence', (grown, confidence, said) => {
    const course = { ...facts().course, basePerHour: 60 / grown }
    const told = cause({ course, firstSeenUs: 0, load: { before: 1_000, after: 6_000 } })
    expect(told).toMatchObject({ kind: 'load', confidence })
    const { evidenceFor, evidenceAgainst } = told
    expect([...evidenceFor.map((one) => `For: ${one}`), ...evidenceAgainst.map((one) => `Against: ${one}`)]).toContain(
      said,
    )
    expect(evidenceFor).toContain('production logged 6 times as much as before.')
  })

  it('when timeouts grow by more than the load does, but not when a refused connection does', () => {
    const course = { ...facts().course, basePerHour: 0.5 }
    const load = { before: 1_000, after: 4_000 }
    const told = (message: string) =>
      cause({ course, firstSeenUs: 0, load, trouble: troubleOf({ type: 'Error', message }) }).kind
    expect(told('request timed out')).toBe('load')
    expect(told('connect ECONNREFUSED 10.0.0.9:5432')).not.toBe('load')
  })

  it('is still what is called where timeouts are new, though there is more load', () => {
    const trouble = troubleOf({ type: 'Error', message: 'request timed out' })
    const { kind, evidenceAgainst } = cause({ trouble, load: { before: 1_000, after: 3_000 } })
    expect(kind).toBe('dependency')
    expect(evidenceAgainst).toEqual(['There was 3 times the usual load, under which that is likely too.'])
  })

  it('when it failed, or brought nothing', () => {
    const failed = deployed(4)
    const told = cause({ deploys: [{ ...failed, deploy: { ...failed.deploy, status: 'failed' } }, deployed(50)] })
    expect(told.deployId).toBe('dep_50')
    expect(cause({ deploys: [deployed(40, { step: 'same' })] }).kind).toBe('unknown')
  })

  it('when the same errors occur where it was not deployed', () => {
    const told = explain(facts({ deploys: [deployed(50)], elsewhere: [{ environment: 'staging', count: 40 }] }))
    expect(told.likelyCause.kind).toBe('unknown')
    expect(told.correlated.evidenceAgainst).toContain(
      'The same errors occur where this revision was not deployed: 40 in staging.',
    )
  })
})

describe('where nothing was recorded', () => {
  it('the commit of that time is told, never with high confidence', () => {
    const commit = {
      sha: 'd'.repeat(40),
      committedAtUs: ONSET_US - 20 * MINUTE_US,
      branch: 'main',
      subject: '',
      author: '',
    }
    const { suspects } = touching('line')
    const told = explain(facts({ commit: { commit, suspects, looked: 'stack' } }))
    expect(told.likelyCause).toMatchObject({ kind: 'commit', deployId: null, sha: commit.sha, confidence: 'medium' })
    expect(told.correlated.confidence).toBe('medium')
  })

  it('nothing is told', () => {
    expect(cause({})).toMatchObject({
      kind: 'unknown',
      title: 'Nothing is known to have changed before it',
      at: null,
      confidence: 'low',
      rivals: [],
    })
  })
})
