import type { DeployVerdictAnswer } from '@tidemark/wire/deploys/verdict'
import { describe, expect, it } from 'vitest'
import { colorsOf } from '../client/colors.ts'
import { listen, reply } from '../testing/listen.ts'
import { exitCodeOf, readFailOn, readWait, toldVerdict, waitForVerdict } from './verdict.ts'

const PLAIN = colorsOf({}, {})
const answerOf = (some: Partial<DeployVerdictAnswer>) =>
  ({
    verdict: 'too_early',
    reasons: [],
    windows: [],
    checkAgainAt: '2026-01-31T12:15:00Z',
    ...some,
  }) as DeployVerdictAnswer

/** A service that answers in turn, each after the wait that was asked for. */
async function serviceWith(answers: readonly Partial<DeployVerdictAnswer>[]) {
  const asked: string[] = []
  let nowMs = 0
  const { url } = await listen(({ path, headers }, response) => {
    const wait = /wait=(\d+)s$/.exec(path)?.[1] ?? ''
    asked.push(`${headers.authorization} ${path}`)
    nowMs += Number(wait) * 1_000
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {}
    reply(response, 200, answerOf(answer))
  })
  return { connection: { url, key: 'tidemark_ingest_x' }, asked, now: () => nowMs }
}

describe('waiting for a verdict', () => {
  it('asks in parts that no proxy cuts, until it can be told', async () => {
    const { connection, asked, now } = await serviceWith([{}, {}, { verdict: 'bad', checkAgainAt: null }])
    const answer = await waitForVerdict(connection, 'dep_1', { waitMs: 600_000, now })
    expect(answer.verdict).toBe('bad')
    expect(asked).toEqual(
      [45, 45, 45].map((wait) => `Bearer tidemark_ingest_x /v1/deploys/dep_1/verdict?wait=${wait}s`),
    )
  })

  it('ends when the time is over, and asks once without any', async () => {
    const long = await serviceWith([{}])
    expect((await waitForVerdict(long.connection, 'd', { waitMs: 100_000, now: long.now })).verdict).toBe('too_early')
    expect(long.asked.map((one) => /\d+s$/.exec(one)?.[0])).toEqual(['45s', '45s', '10s'])
    const short = await serviceWith([{}])
    await waitForVerdict(short.connection, 'd', { waitMs: 0, now: short.now })
    expect(short.asked).toHaveLength(1)
  })

  it('ends when it never will be told', async () => {
    const { connection, asked, now } = await serviceWith([{ checkAgainAt: null }])
    await waitForVerdict(connection, 'd', { waitMs: 600_000, now })
    expect(asked).toHaveLength(1)
  })
})

describe('the exit code', () => {
  it.each([
    ['bad', 'bad', 3],
    ['suspect', 'bad', 0],
    ['suspect', 'suspect', 3],
    ['bad', 'suspect', 3],
    ['bad', 'never', 0],
    ['good', 'suspect', 0],
    ['too_early', 'suspect', 0],
    [null, 'suspect', 0],
  ] as const)('of the verdict %s when it fails on %s is %d', (verdict, failOn, code) => {
    expect(exitCodeOf({ verdict }, failOn)).toBe(code)
  })
})

describe('what is typed', () => {
  it('is a length of time, and ten minutes without one', () => {
    const problems: string[] = []
    expect([readWait(true, problems), readWait('90s', problems), readWait('1h', problems)]).toEqual([
      600_000, 90_000, 3_600_000,
    ])
    expect(problems).toEqual([])
    readWait('soon', problems)
    readWait('25h', problems)
    readFailOn('good', problems)
    expect(problems).toEqual([
      '--wait is "soon": it must be a duration of at most 24h, such as 10m or 90s.',
      '--wait is "25h": it must be a duration of at most 24h, such as 10m or 90s.',
      '--fail-on is "good": it must be one of bad, suspect, never.',
    ])
  })
})

describe('what is said', () => {
  it('is the verdict and each reason on a line, without what would steer a terminal', () => {
    const reasons = [
      'TypeError in checkout began 4 min after it, 37 errors (high confidence).',
      'A title\u001b[31m\nof two lines',
    ]
    expect(toldVerdict(answerOf({ verdict: 'bad', reasons, checkAgainAt: null }), 1_000, PLAIN)).toEqual([
      'Verdict: bad.',
      '  - TypeError in checkout began 4 min after it, 37 errors (high confidence).',
      expect.not.stringContaining('\u001b'),
    ])
    expect(toldVerdict(answerOf({}), 600_000, PLAIN)).toEqual([
      'Verdict: too early to tell after 10 min. A verdict is expected at about 2026-01-31T12:15:00Z.',
    ])
    expect(toldVerdict(answerOf({ verdict: null, checkAgainAt: null, reasons: ['It failed.'] }), 0, PLAIN)).toEqual([
      'Verdict: none.',
      '  - It failed.',
    ])
  })
})
