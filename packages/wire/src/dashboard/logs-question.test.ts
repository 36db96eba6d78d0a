import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'
import { logFilter } from './first-requests.ts'
import { histogramQuestion, logsQuestion } from './logs-question.ts'

/** Of an address, without what is not asked. */
function questionOf(search: string): unknown {
  const page = readAddress('/projects/prj_1/logs', search)?.page
  if (page?.name !== 'logs') throw new Error('This is no address of the logs page.')
  return JSON.parse(JSON.stringify(logsQuestion(logFilter(page.search), page.search)))
}

describe('the question of the logs page', () => {
  it('is for its records, the newest first unless it is turned or a trace', () => {
    const asked = { query: 'a', from: '-2h' }
    expect(questionOf('?query=a&from=-2h&columns=host')).toEqual({ tool: 'list_logs', asked })
    expect(questionOf('?query=a&from=-2h&order=oldest')).toEqual({
      tool: 'list_logs',
      asked: { ...asked, order: 'oldest' },
    })
    expect(questionOf('?query=a&from=-2h&view=trace')).toEqual({
      tool: 'list_logs',
      asked: { ...asked, order: 'oldest' },
    })
  })

  it('is for patterns against the time before, unless a deploy or nothing is chosen', () => {
    const tool = 'list_log_patterns'
    const asked = { query: 'a', environment: 'production', from: '-1h', to: '-5m' }
    const address = '?view=patterns&query=a&environment=production&to=-5m'
    expect(questionOf(address)).toEqual({ tool, asked: { ...asked, compare: 'previous' } })
    expect(questionOf(`${address}&compare=off`)).toEqual({ tool, asked })
    expect(questionOf(`${address}&compare=dep_1`)).toEqual({
      tool,
      asked: { query: 'a', environment: 'production', deployId: 'dep_1' },
    })
  })

  it('is for groups by service, or by what is chosen, counted until it is known what is measured', () => {
    const asked = { from: '-1h', groupBy: ['service'], bucket: '60' }
    expect(questionOf('?view=groups')).toEqual({ tool: 'count_logs', asked })
    expect(questionOf('?view=groups&measure=p95')).toEqual({ tool: 'count_logs', asked })
    expect(questionOf('?view=groups&group=trace_id&measure=p95&of=took')).toEqual({
      tool: 'count_logs',
      asked: { ...asked, groupBy: ['traceId'], measure: 'p95', of: 'took' },
    })
  })

  it('has a histogram by level above it', () => {
    const filter = { query: 'a', environment: undefined, from: '-1h', to: undefined }
    expect(histogramQuestion(filter)).toEqual({ ...filter, groupBy: ['level'], bucket: '90' })
  })
})
