import type { CoreField } from '@tidemark/wire/query/fields'
import { HOUR_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { FoundField, PatternPlace, PatternQuestion, Selection } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import { PatternTexts } from '../patterns/pattern-texts.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { compareWindows } from './compare-windows.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const caller = {
  kind: 'key',
  keyId: 'key_a',
  keyKind: 'read',
  project: { id: 'prj_a', retentionDays: 30 },
} as unknown as Caller

const [GONE, OTHER, COME] = ['0', 'e', 'f'].map((digit) => digit.repeat(16)) as [string, string, string]
/** What the messages of a pattern say. */
const WORDS: Record<string, string> = { [GONE]: 'stolen', [OTHER]: 'declined', [COME]: 'declined' }

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
  const sampled: PatternPlace[] = []
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
    async patterns(selection: Selection, { base: baseRange }: PatternQuestion) {
      const names = new Set([now, base].flatMap(({ patterns = {} }) => Object.keys(patterns)))
      const largest = [...names].map((pattern) => {
        const [count, baseCount] = [now.patterns?.[pattern] ?? 0, base.patterns?.[pattern] ?? 0]
        const lastUs = (count > 0 ? selection.range : baseRange!).fromUs
        return { pattern, count, baseCount, firstUs: lastUs, lastUs, slices: [], levels: [], services: [] }
      })
      return { largest, patterns: largest.length, total: now.records, baseTotal: base.records }
    },
    async patternSamples(_: unknown, places: readonly PatternPlace[]) {
      sampled.push(...places)
      return places.map((place) => ({ ...place, id: 'log_a', message: `card ${place.timeUs} ${WORDS[place.pattern]}` }))
    },
  } as unknown as ProjectLogs
  const parts = {
    control: {},
    logStore: { project: () => logs },
    patternTexts: new PatternTexts(),
    now: () => NOW_MS,
  } as unknown as ReadingParts
  return { answer: await compareWindows(parts, caller, { from: '-1h', query: 'card' }), sampled }
}

function found(field: FoundField['field'], counts: Counts): FoundField {
  const values = Object.entries(counts).map(([value, count]) => ({ value, count }))
  return { field, type: 'text', records: 0, sampled: 0, distinct: values.length, values }
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
          'Fields are compared in the newest 20,000 records of the window and the newest 20,000 of the base, patterns in all of them.',
      },
    ])
  })

  it('has the text of a pattern, a message where there is one, and the query that finds its records', async () => {
    const { answer, sampled } = await compare(
      { records: 90, patterns: { [COME]: 90 } },
      { records: 90, patterns: { [GONE]: 90 } },
    )
    expect(answer.differences.map(({ value, change, text, query }) => [value, change, text, query])).toEqual([
      [
        'card <*> declined',
        'appeared',
        'pattern "card <*> declined" appeared: 90 of 90 records, none of 90 in the base',
        `card pattern:${COME}`,
      ],
      [
        'card <*> stolen',
        'vanished',
        'pattern "card <*> stolen" vanished: none of 90 records, 90 of 90 in the base',
        `card pattern:${GONE}`,
      ],
    ])
    expect(sampled.map(({ timeUs }) => NOW_MS * 1_000 - timeUs)).toEqual([HOUR_US, 2 * HOUR_US])
  })

  it('compares patterns with the same text as one: none of them came or went', async () => {
    const { answer } = await compare(
      { records: 90, patterns: { [COME]: 90 } },
      { records: 90, patterns: { [OTHER]: 90 } },
    )
    expect(answer.differences).toEqual([])
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
      'level error grew from 0.5 % of the base (5 of 1,000) to 12 % (120 of 1,000)',
    )
  })
})
