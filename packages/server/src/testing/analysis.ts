/** An analysis as the reading verbs answer it: an error that began four minutes after a deploy. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { deployOf, logRow, NOW_MS } from './reading-rows.ts'

const at = (minutes: number) => new Date(NOW_MS + minutes * MINUTE_MS).toISOString()

export function analysisOf(index: number, change: Partial<AnalysisDetail> = {}): AnalysisDetail {
  const deploy = deployOf(0, { deployedAt: at(-30) })
  return {
    id: `ana_${String(index).padStart(32, '0')}`,
    title: 'TypeError: x is undefined',
    type: 'TypeError',
    state: 'new',
    activity: 'active',
    environment: 'production',
    service: 'checkout',
    level: 'error',
    count: 132,
    firstSeen: at(-26),
    lastSeen: at(-1),
    anchor: at(-26),
    onset: at(-26),
    where: 'pay (pay.ts)',
    summary: 'First seen 4 min after 4f2a9c1 was deployed to production by ana. 132 errors in all, the last 1 min ago.',
    likelyCause: {
      kind: 'deploy',
      title: 'Deploy of 4f2a9c1 to production, 4 min before the errors began',
      at: deploy.deployedAt,
      deployId: deploy.id,
      sha: deploy.sha,
      commit: {
        sha: 'c'.repeat(40),
        title: 'Round prices once',
        author: 'ana',
        file: 'src/pay.ts',
        line: 3,
      },
      confidence: 'high',
      evidenceFor: [
        'Its commit ccccccc changes line 3 of src/pay.ts, where the error is thrown.',
        'The first error came 4 min after the deploy.',
        'It was never seen before the deploy.',
      ],
      evidenceAgainst: [],
      rivals: [
        {
          kind: 'data',
          title: 'Data with tenant=northwind',
          reason: 'There is less evidence for it.',
        },
      ],
    },
    course: {
      onset: at(-26),
      basePerHour: 0,
      count: 132,
      peak: { from: at(-10), to: at(-9), count: 12 },
      end: null,
      endedWith: null,
      text: '132 errors in 25 min, at most 12 in 60 s; it goes on.',
    },
    suspects: [
      {
        sha: 'c'.repeat(40),
        title: 'Round prices once',
        author: 'ana',
        committedAt: at(-90),
        deployId: deploy.id,
        file: 'src/pay.ts',
        line: 3,
        reason: 'changes line 3 of src/pay.ts, where the error is thrown',
      },
    ],
    suspectsReason: null,
    standouts: [
      {
        field: 'tenant',
        value: 'northwind',
        errors: 120,
        errorsWithField: 132,
        others: 40,
        othersWithField: 820,
        isSampled: false,
        text: 'tenant=northwind: 120 of 132 errors, 40 of 820 other records that have tenant.',
        query: 'fingerprint:0123456789abcdef environment:production tenant:northwind',
      },
    ],
    correlatedDeploy: {
      source: 'recorded',
      deployId: deploy.id,
      sha: deploy.sha,
      ref: 'main',
      environment: 'production',
      deployedAt: deploy.deployedAt,
      committedAt: null,
      elapsedSeconds: 240,
      confidence: 'high',
      evidenceFor: ['The first error came 4 min after the deploy.', 'It was never seen before the deploy.'],
      evidenceAgainst: [],
      warning: null,
      message: 'Round prices once',
      author: 'ana',
      url: null,
      commits: {
        step: 'forward',
        summary: '1 commit since bbbbbbb.',
        total: 1,
        commits: [
          {
            sha: 'c'.repeat(40),
            title: 'Round prices once',
            author: 'ana',
            committedAt: at(-90),
            files: 1,
            paths: ['src/pay.ts'],
          },
        ],
      },
    },
    correlatedDeployReason: null,
    trend: [0, 0, 40, 92],
    rankReason: 'new 4 min after a deploy, 132 errors in the window',
    fingerprint: '0123456789abcdef',
    grouping: 'grouped by TypeError and 1 in-app frame',
    error: { type: 'TypeError', message: 'x is undefined' },
    sentences: [
      {
        text: 'First seen 4 min after 4f2a9c1 was deployed to production by ana.',
        evidence: 'deploy',
        query: 'fingerprint:0123456789abcdef environment:production',
        from: at(-30),
        to: at(34),
      },
    ],
    previousDeploy: deployOf(1, { deployedAt: at(-600), sha: 'b'.repeat(40) }),
    failedDeploys: [],
    rates: {
      before: { from: at(-60), to: at(-30), errors: 0, records: 900, perHour: 0 },
      after: { from: at(-30), to: at(0), errors: 132, records: 950, perHour: 264 },
      existedBefore: false,
    },
    occurrences: {
      window: { from: at(-86), to: at(0) },
      bucketSeconds: 300,
      buckets: Array.from({ length: 18 }, (_, bucket) => ({
        timestamp: at(-90 + bucket * 5),
        count: bucket < 12 ? 0 : 22,
      })),
      deploys: [deploy],
    },
    stack: [
      {
        type: 'TypeError',
        message: 'x is undefined',
        frames: [
          { function: 'pay', file: 'src/pay.ts', line: 3, column: 1, inApp: true },
          { function: 'next', file: 'node_modules/router/index.js', line: 12, column: 5, inApp: false },
        ],
      },
    ],
    rawStack: 'TypeError: x is undefined\n    at pay (src/pay.ts:3:1)\n    at next (node_modules/router/index.js:12:5)',
    source: [
      {
        sha: deploy.sha,
        file: 'src/pay.ts',
        line: 3,
        function: 'pay',
        lines: [
          { number: 2, text: 'export function pay(x) {', change: 'none', sha: null },
          { number: null, text: '  return x?.price', change: 'removed', sha: 'c'.repeat(40) },
          { number: 3, text: '  return round(x.price)', change: 'added', sha: 'c'.repeat(40) },
          { number: 4, text: '}', change: 'none', sha: null },
        ],
      },
    ],
    services: [{ value: 'checkout', count: 132 }],
    hosts: [
      { value: 'web-1', count: 100 },
      { value: 'web-2', count: 32 },
    ],
    releases: [{ value: '4f2a9c1', count: 132 }],
    samples: [logRow(0), logRow(1)],
    before: { by: 'trace', rows: [logRow(2, { level: 'info', message: 'cart loaded' })] },
    episodes: [{ anchor: at(-26), lastSeen: at(-1), count: 132, began: 'first' }],
    recordsQuery: 'fingerprint:0123456789abcdef environment:production',
    stateChangedAt: null,
    stateChangedBy: null,
    notes: null,
    discussion: null,
    ...change,
  }
}
