import { expect, it } from 'vitest'
import type { TidemarkProblem } from './problem.ts'
import { createProblemReporter } from './problem-reporter.ts'

const HOUR_MS = 3_600_000

function setUp() {
  const said: string[] = []
  const clock = { nowMs: 1_000_000 }
  const reporter = createProblemReporter(
    ({ code }) => said.push(code),
    () => clock.nowMs,
  )
  const report = (code: TidemarkProblem['code']) => reporter.report({ code, message: 'm' })
  return { said, clock, reporter, report }
}

it.each(['key_refused', 'not_accepted', 'record_too_large', 'unreachable', 'busy', 'buffer_full'] as const)(
  'reports %s again only after a batch was accepted in between',
  (code) => {
    const { said, clock, reporter, report } = setUp()
    report(code)
    clock.nowMs += 10 * HOUR_MS
    report(code)
    expect(said).toEqual([code])
    reporter.clear()
    report(code)
    expect(said).toEqual([code, code])
  },
)

it.each(['no_key', 'before_send_failed', 'closed', 'internal'] as const)('reports %s once', (code) => {
  const { said, clock, reporter, report } = setUp()
  report(code)
  clock.nowMs += 10 * HOUR_MS
  reporter.clear()
  report(code)
  expect([said, reporter.hasSaid(code)]).toEqual([[code], true])
})

it('reports rejected records at most once an hour, for as long as it goes on', () => {
  const { said, clock, reporter, report } = setUp()
  const times: number[] = []
  for (let minute = 0; minute < 150; minute += 10) {
    const before = said.length
    reporter.clear()
    report('records_rejected')
    if (said.length > before) times.push(minute)
    clock.nowMs += 10 * 60_000
  }
  expect(times).toEqual([0, 60, 120])
})

it('reports every wrong option', () => {
  const { said, report } = setUp()
  report('bad_option')
  report('bad_option')
  expect(said).toEqual(['bad_option', 'bad_option'])
})
