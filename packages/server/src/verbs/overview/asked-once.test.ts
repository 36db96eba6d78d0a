import { expect, it } from 'vitest'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { askedOnce } from './asked-once.ts'

const span = (environment: string) => ({ range: { fromUs: 0, toUs: 60 }, environment })

/** Counts the letters of an environment, and keeps which were asked about together. */
function countingLetters() {
  const asked: string[][] = []
  const logs = {
    async recordSpans(spans: readonly { environment: string }[]) {
      asked.push(spans.map(({ environment }) => environment))
      if (spans.some(({ environment }) => environment === 'away')) throw new Error('away')
      return spans.map(({ environment }) => environment.length)
    },
  }
  return { asked, logs: askedOnce(logs as Partial<ProjectLogs> as ProjectLogs) }
}

it('asks about a span once, also while the first answer is still on its way', async () => {
  const { asked, logs } = countingLetters()
  const both = await Promise.all([
    logs.recordSpans([span('staging'), span('qa'), span('qa')]),
    logs.recordSpans([span('qa'), span('production'), span('staging')]),
  ])
  expect(both).toEqual([
    [7, 2, 2],
    [2, 10, 7],
  ])
  expect(await logs.recordSpans([span('production')])).toEqual([10])
  expect(asked).toEqual([['staging', 'qa'], ['production']])
})

it('tells everyone who asked when the log store does not answer', async () => {
  const { logs } = countingLetters()
  const all = await Promise.allSettled([
    logs.recordSpans([span('away'), span('qa')]),
    logs.recordSpans([span('qa')]),
    logs.recordSpans([span('production')]),
  ])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
