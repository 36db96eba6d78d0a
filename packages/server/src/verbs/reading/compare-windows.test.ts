import type { CoreField } from '@tidemark/wire/query/fields'
import { describe, expect, it } from 'vitest'
import type { FoundField, LogSearch, ProjectLogs, Selection } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { compareWindows } from './compare-windows.ts'
import type { ReadingParts } from './reading-parts.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const HOUR_US = 3_600_000_000
const caller = {
  kind: 'key',
  keyId: 'key_a',
  keyKind: 'read',
  project: { id: 'prj_a', retentionDays: 30 },
} as unknown as Caller

type Counts = Record<string, number>
type Side = {
  records: number
  sampled?: number
  own?: Record<string, Counts>
  sent?: Record<string, Counts>
  patterns?: Counts
}

/** The last hour against the hour before it. */
async function compare(now: Side, base: Side) {
  const searched: LogSearch[] = []
  const sideAt = ({ range }: Selection) => (range.toUs > NOW_MS * 1_000 - HOUR_US ? now : base)
  const logs = {
    async fields(selection: Selection) {
      const { records, sampled = records, own = {}, sent = {} } = sideAt(selection)
      const fields = [
        ...Object.entries(own).map(([name, counts]) => found({ kind: 'core', name: name as CoreField }, counts)),
        ...Object.entries(sent).map(([name, counts]) => found({ kind: 'attribute', name }, counts)),
      ]
      return { sampled, fields }
    },
    async groups(selection: Selection) {
      const { records, patterns = {} } = sideAt(selection)
      const largest = Object.entries(patterns).map(([value, count]) => ({ values: [value], count }))
      return { largest, groups: largest.length, total: records }
    },
    async search(search: LogSearch) {
      searched.push(search)
      return { records: [{ message: `card ${search.range.fromUs} declined` }], isEnd: true }
    },
  } as unknown as ProjectLogs
  const parts = { control: {}, logStore: { project: () => logs }, now: () => NOW_MS } as unknown as ReadingParts
  return { answer: await compareWindows(parts, caller, { from: '-1h' }), searched }
}

function found(field: FoundField['field'], counts: Counts): FoundField {
  const values = Object.entries(counts).map(([value, count]) => ({ value, count }))
  return { field, type: 'text', records: 0, values }
}

const many = (count: number, name: string): Counts =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}-${index}`, 20]))

describe('a comparison', () => {
  it('shows the five most telling values of a field and counts the others', async () => {
    const own = (name: string) => ({ host: { ...many(10, name), [`${name}-large`]: 50 } })
    const { answer } = await compare({ records: 250, own: own('new') }, { records: 250, own: own('old') })
    expect(answer.differences.map(({ value }) => value).slice(0, 2)).toEqual(['new-large', 'old-large'])
    expect([answer.differences.length, answer.otherDifferences]).toEqual([5, 17])
  })

  it('says of how many records it speaks when it looked at the newest only', async () => {
    const side = (level: string) => ({ records: 90_000, sampled: 20_000, own: { level: { [level]: 20_000 } } })
    const { answer } = await compare(side('error'), { ...side('info'), records: 20_000 })
    expect(answer).toMatchObject({ records: 90_000, baseRecords: 20_000, sampled: 20_000, baseSampled: 20_000 })
    expect(answer.differences[0]).toMatchObject({ value: 'error', count: 20_000, total: 20_000 })
    expect(answer.warnings).toEqual([
      {
        message:
          'Fields are compared in the newest 20000 records of the window and the newest 20000 of the base, patterns in all of them.',
      },
    ])
  })

  it('looks for a message of a pattern where there is one', async () => {
    const [gone, come] = ['0'.repeat(16), 'f'.repeat(16)]
    const { answer, searched } = await compare(
      { records: 90, patterns: { [come]: 90 } },
      { records: 90, patterns: { [gone]: 90 } },
    )
    expect(answer.differences.map(({ change, text }) => [change, text])).toEqual([
      ['appeared', 'pattern "card <*> declined" appeared: 90 of 90 records, none of 90 in the base'],
      ['vanished', 'pattern "card <*> declined" vanished: none of 90 records, 90 of 90 in the base'],
    ])
    expect(searched.map(({ range }) => NOW_MS * 1_000 - range.fromUs)).toEqual([HOUR_US, 2 * HOUR_US])
  })

  it('does not compare traces, and writes an attribute with one of our names as a query does', async () => {
    const own = (trace: string) => ({ traceId: { [trace]: 80 } })
    const { answer } = await compare(
      { records: 90, own: own('a'), sent: { level: { high: 80 } } },
      { records: 90, own: own('b'), sent: { level: { low: 80 } } },
    )
    expect(answer.differences.map(({ field, value }) => `${field} ${value}`)).toEqual(['@level high', '@level low'])
  })

  it('says a changed share in percent', async () => {
    const share = (count: number) => ({ records: 1_000, own: { level: { error: count } } })
    const { answer } = await compare(share(120), share(5))
    expect(answer.differences[0]?.text).toBe(
      'level error grew from 0.5 % of the base (5 of 1000) to 12 % (120 of 1000)',
    )
  })
})
