import { MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { verdictOf } from './verdict.ts'
import type { AgainstFacts, RecordFacts, VerdictFacts } from './verdict-facts.ts'

const HOUR_US = 60 * MINUTE_US
const DEPLOYED_US = Date.UTC(2026, 0, 31, 12) * 1_000

type Counted = { records: number; errors: number }
type Some = {
  ranMinutes?: number
  before?: Counted
  after?: Counted
  dayBefore?: Counted
  since?: number
  explained?: number
  services?: RecordFacts['services']
  all?: RecordFacts['all']
}

function recordsOf({ ranMinutes = 120, before = usual, after = usual, dayBefore = usual, ...some }: Some): RecordFacts {
  const windows = [5, 15, 60].map((minutes) => {
    const toUs = DEPLOYED_US + Math.min(minutes, ranMinutes) * MINUTE_US
    return {
      minutes,
      before: { fromUs: DEPLOYED_US - minutes * MINUTE_US, toUs: DEPLOYED_US, ...before },
      after: { fromUs: DEPLOYED_US, toUs, ...after },
    }
  })
  const quarters = [1, 2, 3, 4].map(() => Math.floor(before.records / 4))
  return {
    windows,
    dayBefore,
    explained: some.explained ?? 0,
    since: some.since ?? after.records,
    all: some.all ?? { quarters, after: after.records, dayBefore: dayBefore.records },
    services: some.services ?? [],
  }
}
const usual: Counted = { records: 100, errors: 2 }

function judge(some: Some & Partial<Omit<VerdictFacts, 'records'>> & { records?: VerdictFacts['records'] } = {}) {
  const { ranMinutes = 120, records = recordsOf({ ...some, ranMinutes }) } = some
  return verdictOf({
    environment: 'production',
    deployedAtUs: DEPLOYED_US,
    nowUs: DEPLOYED_US + ranMinutes * MINUTE_US,
    replacedBy: null,
    against: [],
    others: 0,
    gone: 0,
    unknownEnvironment: null,
    ...some,
    records,
  })
}

const broken = (some: Partial<AgainstFacts> = {}): AgainstFacts => ({
  title: 'TypeError: cart is undefined',
  service: 'checkout',
  began: 'first',
  count: 37,
  confidence: 'high',
  onsetUs: DEPLOYED_US + 4 * MINUTE_US,
  evidence: 'Its commit a1b2c3d changes line 7 of src/cart.ts.',
  isAtLine: false,
  ...some,
})

describe('a deploy after which all is as before', () => {
  it('is good, with the counts that say so', () => {
    expect(judge({ gone: 2, others: 1 })).toEqual({
      verdict: 'good',
      reasons: [
        'No errors are attributed to it.',
        '2 of 100 records were errors in the hour after it, 2 of 100 in the hour before.',
        '1 analysis began while it ran and does not count against it.',
        '2 analyses ended with it.',
      ],
      checkAgainAtUs: null,
    })
  })

  it.each([
    [0, 0, 'Nothing was logged in the hour after it or in the hour before.'],
    [0, 8, '0 of 8 records were errors in the hour after it, nothing was logged in the hour before.'],
    [8, 0, 'Nothing was logged in the hour after it; 0 of 8 in the hour before were errors.'],
  ])('with %i records before and %i after says what was logged', (records, later, words) => {
    const before = { records, errors: 0 }
    const after = { records: later, errors: 0 }
    expect(judge({ ranMinutes: 24 * 60, before, after, since: 1 }).reasons).toContain(words)
  })

  it.each([
    [4, 10_000, 'too_early'],
    [5, 299, 'too_early'],
    [5, 300, 'good'],
    [14, 299, 'too_early'],
    [15, 59, 'too_early'],
    [15, 60, 'good'],
    [59, 59, 'too_early'],
    [60, 20, 'good'],
    [60, 19, 'too_early'],
    [24 * 60, 1, 'good'],
    [24 * 60, 0, 'too_early'],
  ])('is, after %d minutes and %d records, %s', (ranMinutes, since, verdict) => {
    const before = { records: 8, errors: 0 }
    expect(judge({ ranMinutes, since, before, after: { records: since, errors: 0 } }).verdict).toBe(verdict)
  })

  it('is to be checked again when enough records will have come', () => {
    const at = (minutes: number) => DEPLOYED_US + minutes * MINUTE_US
    // 100 an hour before it, 10 in the 6 minutes since: 60 after 36 minutes.
    expect(judge({ ranMinutes: 6, since: 10 }).checkAgainAtUs).toBe(at(36))
    // 6,000 an hour: 300 after 3 minutes, but not before 5.
    expect(judge({ ranMinutes: 1, since: 0, before: { records: 6_000, errors: 0 } }).checkAgainAtUs).toBe(at(5))
    const quiet = { before: { records: 0, errors: 0 }, after: { records: 0, errors: 0 }, since: 0 }
    expect(judge({ ...quiet, ranMinutes: 10 }).checkAgainAtUs).toBe(at(24 * 60))
    expect(judge({ ...quiet, ranMinutes: 2_000 }).checkAgainAtUs).toBeNull()
  })

  it('is never called good where nothing was logged', () => {
    const nothing = { records: 0, errors: 0 }
    const { verdict, reasons } = judge({ before: nothing, after: nothing, dayBefore: nothing, ranMinutes: 3_000 })
    expect([verdict, reasons[0]]).toEqual([
      'too_early',
      'Nothing was logged in production since it went live 2 d 2 h ago, so there is nothing to judge it by.',
    ])
  })

  it('is told that its environment is not known, and which is like it', () => {
    const nothing = { records: 0, errors: 0 }
    const some = { environment: 'prodution', before: nothing, after: nothing, dayBefore: nothing, ranMinutes: 3_000 }
    const reasonOf = (nearest: string | null) => judge({ ...some, unknownEnvironment: { nearest } }).reasons[0]
    expect(reasonOf('production')).toBe(
      'No logs in environment prodution, so there is nothing to judge it by. Logs come in as production: the names of environments must be the same.',
    )
    expect(reasonOf(null)).toBe('No logs in environment prodution, so there is nothing to judge it by.')
  })

  it('is never called good when it was replaced too soon, and needs not be asked about again', () => {
    const replacedBy = { sha: 'b1'.repeat(20), atUs: DEPLOYED_US + 4 * MINUTE_US, isRollback: false }
    expect(judge({ replacedBy, since: 6, after: { records: 6, errors: 0 } })).toMatchObject({
      verdict: 'too_early',
      reasons: [
        'It ran for 4 min and 6 records before b1b1b1b replaced it: too little to tell.',
        expect.stringContaining('0 of 6 records'),
      ],
      checkAgainAtUs: null,
    })
  })

  it('is too early while its own time lies ahead', () => {
    const { verdict, reasons } = judge({ nowUs: DEPLOYED_US - 2 * HOUR_US })
    expect([verdict, reasons]).toEqual(['too_early', ['It is dated 2 h ahead, so nothing was seen of it yet.']])
  })
})

describe('an analysis that it caused', () => {
  it.each([
    ['high', false, 'bad'],
    ['medium', false, 'suspect'],
    ['low', false, 'good'],
    ['low', true, 'suspect'],
    ['medium', true, 'suspect'],
  ] as const)('with %s confidence (a commit at the line: %s) makes it %s', (confidence, isAtLine, verdict) => {
    expect(judge({ against: [broken({ confidence, isAtLine })] }).verdict).toBe(verdict)
  })

  it('is said at once, long before it could be called good', () => {
    expect(judge({ ranMinutes: 1, since: 1, against: [broken({ onsetUs: DEPLOYED_US + 9_000_000 })] })).toEqual({
      verdict: 'bad',
      reasons: [
        'TypeError: cart is undefined in checkout began 9 s after it, 37 errors (high confidence). Its commit a1b2c3d changes line 7 of src/cart.ts.',
      ],
      checkAgainAtUs: null,
    })
  })

  it('makes it bad together with another, with a rise, or with a rollback', () => {
    const medium = broken({ confidence: 'medium' })
    expect(judge({ against: [medium, medium] }).verdict).toBe('bad')
    expect(judge({ against: [medium], after: { records: 100, errors: 20 } }).verdict).toBe('bad')
    const replacedBy = { sha: 'b1'.repeat(20), atUs: DEPLOYED_US + 70 * MINUTE_US, isRollback: true }
    const rolledBack = judge({ against: [medium], replacedBy })
    expect([rolledBack.verdict, rolledBack.reasons[1]]).toEqual([
      'bad',
      'It was rolled back to b1b1b1b after 1 h 10 min.',
    ])
    expect(judge({ against: [medium], replacedBy: { ...replacedBy, isRollback: false } }).verdict).toBe('suspect')
    expect(judge({ against: [broken({ confidence: 'low' })], replacedBy }).verdict).toBe('suspect')
  })

  it('counts less where the records go back less than a day, unless a commit changed the line', () => {
    const young = { dayBefore: { records: 0, errors: 0 } }
    const later = { onsetUs: DEPLOYED_US + 40 * MINUTE_US }
    expect(judge({ ...young, against: [broken(later)] }).verdict).toBe('suspect')
    expect(judge({ ...young, against: [broken({ ...later, confidence: 'medium' })] }).verdict).toBe('good')
    expect(judge({ ...young, against: [broken({ ...later, isAtLine: true })] }).verdict).toBe('bad')
    expect(judge({ ...young, against: [broken()] }).verdict).toBe('bad')
    expect(judge({ ...young, against: [broken({ ...later, began: 'quiet' })] }).verdict).toBe('bad')
  })

  it('is told with the heaviest first, and only some of very many', () => {
    const many = [broken({ confidence: 'low', title: 'Low' }), ...Array.from({ length: 7 }, () => broken())]
    const { reasons } = judge({ against: many })
    expect(reasons[0]).toContain('TypeError')
    expect(reasons[5]).toBe('Plus 3 more signs against it.')
  })
})

describe('a rollback', () => {
  it('alone says nothing: a good deploy may be taken back with a bad one', () => {
    const replacedBy = { sha: 'b1'.repeat(20), atUs: DEPLOYED_US + 70 * MINUTE_US, isRollback: true }
    const { verdict, reasons } = judge({ replacedBy })
    expect([verdict, reasons[0], reasons.at(-1)]).toEqual([
      'good',
      'No errors are attributed to it.',
      'It was rolled back to b1b1b1b after 1 h 10 min.',
    ])
  })
})

describe('errors per record', () => {
  it.each([
    // Small counts: 4 of 20 after 0 of 100 may be chance.
    [{ records: 100, errors: 0 }, { records: 20, errors: 4 }, 'good'],
    [{ records: 100, errors: 0 }, { records: 20, errors: 8 }, 'suspect'],
    // Five times as many, and still one of 16 times by chance; and one of 32 times.
    [{ records: 20, errors: 1 }, { records: 20, errors: 6 }, 'good'],
    [{ records: 100, errors: 0 }, { records: 100, errors: 5 }, 'good'],
    [{ records: 100, errors: 5 }, { records: 100, errors: 12 }, 'good'],
    [{ records: 100, errors: 5 }, { records: 100, errors: 30 }, 'suspect'],
    [{ records: 10_000, errors: 100 }, { records: 10_000, errors: 250 }, 'good'],
    [{ records: 10_000, errors: 100 }, { records: 10_000, errors: 350 }, 'suspect'],
    [{ records: 10_000, errors: 10 }, { records: 10_000, errors: 500 }, 'bad'],
    // More of everything is no rise.
    [{ records: 100, errors: 5 }, { records: 2_000, errors: 100 }, 'good'],
    [{ records: 0, errors: 0 }, { records: 100, errors: 90 }, 'good'],
  ])('that were %j and are %j make it %s', (before, after, verdict) => {
    expect(judge({ before, after, dayBefore: before }).verdict).toBe(verdict)
  })

  it('that have another cause are not counted, and said to be', () => {
    const [before, after] = [
      { records: 100, errors: 1 },
      { records: 140, errors: 41 },
    ]
    expect(judge({ before, after, dayBefore: before, explained: 40 }).verdict).toBe('good')
    const { verdict, reasons } = judge({ before, after, dayBefore: before, explained: 10 })
    expect([verdict, reasons[0]]).toEqual([
      'suspect',
      'Errors rose: 31 of 130 records in the hour after it, 1 of 100 in the hour before, 24 times the share, not counting 10 errors with other causes.',
    ])
  })

  it('that come at this hour every day did not come with it', () => {
    const [before, after] = [
      { records: 100, errors: 1 },
      { records: 100, errors: 30 },
    ]
    expect(judge({ before, after, dayBefore: { records: 100, errors: 28 } }).verdict).toBe('good')
    const { verdict, reasons } = judge({ before, after, dayBefore: { records: 100, errors: 2 } })
    expect(verdict).toBe('suspect')
    expect(reasons[0]).toBe(
      'Errors rose: 30 of 100 records in the hour after it, 1 of 100 in the hour before, 15 times the share of that hour the day before (2 of 100).',
    )
  })
})

describe('errors per record of a deploy that is seconds old', () => {
  it('are told from none before, however few records the day before had', () => {
    const counts = { before: { records: 120, errors: 0 }, after: { records: 30, errors: 30 } }
    for (const dayBefore of [
      { records: 0, errors: 0 },
      { records: 1, errors: 0 },
    ]) {
      expect(judge({ ...counts, dayBefore, ranMinutes: 0.2, since: 30 }).verdict).toBe('bad')
    }
  })
})

describe('records that stop', () => {
  const steady = { quarters: [30, 25, 28, 31], after: 0, dayBefore: 110 }

  it('make it suspect, in the whole environment', () => {
    const { verdict, reasons } = judge({ all: steady, after: { records: 0, errors: 0 }, since: 0 })
    expect([verdict, reasons[0]]).toEqual([
      'suspect',
      'Almost nothing is logged in production since: 0 records in the hour after it, 114 in the hour before that were no errors.',
    ])
  })

  it('make it suspect in one service, which is named', () => {
    const services = [
      { ...steady, service: 'worker' },
      { ...steady, service: 'web', after: 90 },
    ]
    const { verdict, reasons } = judge({ services })
    expect([verdict, reasons[0]]).toEqual([
      'suspect',
      'Almost nothing is logged since by worker (0 records in the hour after it, 114 in the hour before that were no errors).',
    ])
  })

  it.each([
    ['came in heaps', { ...steady, quarters: [114, 0, 0, 0] }],
    ['stop at this hour every day', { ...steady, dayBefore: 3 }],
    ['were few', { quarters: [4, 4, 5, 4], after: 0, dayBefore: 17 }],
    ['still come, though fewer', { ...steady, after: 20 }],
  ])('say nothing where they %s', (_, worker) => {
    expect(judge({ services: [{ ...worker, service: 'worker' }] }).verdict).toBe('good')
  })

  it('say nothing while services may be starting', () => {
    expect(judge({ ranMinutes: 4, all: steady, after: { records: 0, errors: 0 }, since: 0 }).verdict).toBe('too_early')
  })
})

describe('without records', () => {
  it('it is too early while the log store is away, and bad where an analysis says so', () => {
    expect(judge({ records: 'away' })).toMatchObject({
      verdict: 'too_early',
      reasons: [
        'The log store did not answer, so records and errors around it were not counted: try again in a moment.',
      ],
      checkAgainAtUs: DEPLOYED_US + 121 * MINUTE_US,
    })
    expect(judge({ records: 'away', against: [broken()] }).verdict).toBe('bad')
  })

  it('it is good by its analyses alone once retention has passed over them, and says so', () => {
    expect(judge({ records: 'expired' })).toMatchObject({
      verdict: 'good',
      reasons: [
        'No errors are attributed to it.',
        'The records of that time are no longer kept, so they are not compared.',
      ],
    })
  })

  it('it does not say that no errors are attributed to it where some are, with little confidence', () => {
    const { verdict, reasons } = judge({ records: 'expired', against: [broken({ confidence: 'low' })] })
    expect([verdict, ...reasons]).toEqual([
      'good',
      'The records of that time are no longer kept, so they are not compared.',
      expect.stringContaining('(low confidence)'),
    ])
  })
})
