import type { AnalysisDetail, AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { describe, expect, it } from 'vitest'
import { colorsOf } from '../client/colors.ts'
import { analysisLines, itemLines } from './format-analysis.ts'

const plain = colorsOf({}, {})
const deploy = {
  ...{
    source: 'recorded' as const,
    deployId: 'dep_1',
    sha: '4f1c2d3e5a6b7c8d',
    ref: 'main',
    environment: 'production',
  },
  ...{ deployedAt: '2026-11-15T05:00:00Z', committedAt: null, elapsedSeconds: 252, confidence: 'high' as const },
  ...{ evidenceFor: ['It began 4 minutes after.'], evidenceAgainst: ['It existed before.'], warning: null },
  ...{ message: null, author: null, url: null },
}
const item: AnalysisItem = {
  ...{
    id: 'ana_1',
    title: 'TypeError: no',
    type: 'TypeError',
    state: 'new',
    environment: 'production',
    service: 'api',
    notes: null,
  },
  ...{
    level: 'error',
    count: 12,
    firstSeen: '2026-11-15T05:04:12Z',
    lastSeen: '2026-11-15T05:10:00Z',
    anchor: '',
    onset: '',
  },
  ...{
    where: 'add (cart.js)',
    summary: 'It is new.',
    activity: 'quiet',
    likelyCause: {
      ...{ kind: 'deploy', title: 'Deploy of 4f1c2d3 to production', at: null, deployId: 'dep_1', sha: '4f1c2d3' },
      ...{ commit: null, confidence: 'high', evidenceFor: ['Its commit changes the line.'], evidenceAgainst: [] },
      rivals: [{ kind: 'data', title: 'Data with tenant=a', reason: 'There is less evidence for it.' }],
    },
    correlatedDeploy: deploy,
    correlatedDeployReason: null,
    trend: [],
  },
  rankReason: '',
}

describe('an analysis on a terminal', () => {
  it('tells what it is, how often, and what ran when it began', () => {
    expect(itemLines(item, plain)).toEqual([
      'NEW        TypeError: no',
      '  ana_1  production / api  12 times, 2026-11-15T05:04:12Z to 2026-11-15T05:10:00Z  quiet now',
      '  It is new.',
      '  Likely cause: Deploy of 4f1c2d3 to production (deploy, high confidence)',
      '  4 min 12 s after 4f1c2d3 (main), deployed 2026-11-15T05:00:00Z to production (high confidence)',
      '',
    ])
  })

  it('is not called quiet once it is resolved', () => {
    expect(itemLines({ ...item, state: 'resolved' }, plain).join('\n')).not.toContain('quiet')
  })

  it('says that a commit was inferred, and why there is no deploy', () => {
    const inferred = { ...deploy, source: 'inferred' as const, deployedAt: null, committedAt: '2026-11-15T04:00:00Z' }
    expect(itemLines({ ...item, correlatedDeploy: inferred }, plain)[4]).toContain(
      'inferred commit, made 2026-11-15T04:00:00Z',
    )
    const reason = 'no deploy in staging; 3 deploys in Staging'
    const none = { ...item, correlatedDeploy: null, correlatedDeployReason: reason }
    expect(itemLines(none, plain)[4]).toBe(`  No deploy: ${reason}`)
  })

  it('shows evidence, rates and stack in full, and nothing that steers a terminal', () => {
    const window = { from: '', to: '', errors: 0, records: 10, perHour: 0 }
    const detail = {
      ...item,
      ...{
        title: '\u001b]0;x\u0007T',
        error: { type: 'TypeError', message: 'no\u001b[2J' },
        rawStack: 'TypeError: no\n  at add\r',
      },
      ...{
        rates: { before: window, after: { ...window, errors: 12, perHour: 120 }, existedBefore: false },
        samples: [],
      },
    } as unknown as AnalysisDetail
    const text = analysisLines(detail, plain).join('\n')
    expect(text).toContain('+ It began 4 minutes after.')
    expect(text).toContain('- It existed before.')
    expect(text).toContain('Before the deploy: 0 in 10 records (0 an hour)')
    expect(text).toContain('After it: 12 in 10 records (120 an hour)')
    const inferred = analysisLines(
      { ...detail, correlatedDeploy: { ...deploy, source: 'inferred', commits: null } },
      plain,
    )
    expect(inferred.join('\n')).toContain('Before the commit: 0 in 10 records')
    expect(text).toContain('\n  TypeError: no\n    at add')
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  })

  it.each([
    ['TypeError', 'no', 'TypeError: no'],
    ['', 'no', 'no'],
    ['TypeError', '', 'TypeError'],
  ])('calls an error of type "%s" with the message "%s" as everything else does', (type, message, headline) => {
    const frame = { function: 'add', file: 'cart.ts', line: 3, column: 5 }
    const detail = {
      ...{ ...item, error: { type, message }, where: null, isSourceMapped: true },
      stack: [{ type, message, frames: [frame] }],
    } as unknown as AnalysisDetail
    expect(analysisLines(detail, plain).slice(-6)).toEqual([
      ...['', headline, ''],
      ...['Stack, read from source maps:', `  ${headline}`, '    at add (cart.ts:3:5)'],
    ])
  })
})
