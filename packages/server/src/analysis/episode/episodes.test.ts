import { QUIET_WINDOW_US as WINDOW } from '@tidemark/wire/analyses/analysis-state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addOccurrences, MAX_EPISODES, mergeEpisodes, neededCut, type Occurrences, type Standing } from './episodes.ts'

const DAY = 86_400_000_000
const NONE: Standing = { status: 'open', resolvedAtUs: null, episodes: [] }

const at = (timeUs: number, some: Partial<Occurrences> = {}): Occurrences => ({
  count: 1,
  firstUs: timeUs,
  firstLogId: `log_${timeUs}`,
  lastUs: timeUs,
  ...some,
})
const standingAfter = (...times: number[]) => times.reduce((standing, time) => addOccurrences(standing, at(time)), NONE)
const resolved = (standing: Standing, resolvedAtUs: number): Standing => ({
  ...standing,
  status: 'resolved',
  resolvedAtUs,
})
const shape = ({ episodes }: Standing) =>
  episodes.map(({ began, floorUs, anchorUs, lastSeenUs, count }) => [began, floorUs, anchorUs, lastSeenUs, count])

describe('episodes', () => {
  it('begin with the first error and grow with those that follow', () => {
    expect(shape(standingAfter(10 * DAY, 11 * DAY, 12 * DAY))).toEqual([['first', null, 10 * DAY, 12 * DAY, 3]])
  })

  it('begin anew after more than the quiet window, and not after exactly it', () => {
    expect(standingAfter(0, WINDOW).episodes).toHaveLength(1)
    expect(shape(standingAfter(0, WINDOW + 1))).toEqual([
      ['first', null, 0, 0, 1],
      ['quiet', WINDOW, WINDOW + 1, WINDOW + 1, 1],
    ])
  })

  it('begin anew with an error after a resolve, which opens the analysis again', () => {
    const standing = addOccurrences(resolved(standingAfter(DAY), 2 * DAY), at(2 * DAY + 1))
    expect(shape(standing)).toEqual([
      ['first', null, DAY, DAY, 1],
      ['resolved', 2 * DAY, 2 * DAY + 1, 2 * DAY + 1, 1],
    ])
    expect(standing).toMatchObject({ status: 'open', resolvedAtUs: null })
  })

  it('count an error at or before the resolve where it belongs and stay resolved', () => {
    const standing = addOccurrences(resolved(standingAfter(DAY), 2 * DAY), at(2 * DAY))
    expect(shape(standing)).toEqual([['first', null, DAY, 2 * DAY, 2]])
    expect(standing).toMatchObject({ status: 'resolved', resolvedAtUs: 2 * DAY })
  })

  it('let a late error move the anchor back within its episode, never across', () => {
    const standing = addOccurrences(resolved(standingAfter(DAY), 2 * DAY), at(4 * DAY))
    expect(shape(addOccurrences(standing, at(3 * DAY))).at(-1)).toEqual(['resolved', 2 * DAY, 3 * DAY, 4 * DAY, 2])
    const late = addOccurrences(standing, at(2 * DAY))
    expect(shape(late)).toEqual([
      ['first', null, DAY, 2 * DAY, 2],
      ['resolved', 2 * DAY, 4 * DAY, 4 * DAY, 1],
    ])
    expect(late.status).toBe('open')
  })

  it('take an error long before the first for an earlier episode, as if it had come in time', () => {
    expect(standingAfter(20 * DAY, 5 * DAY)).toEqual(standingAfter(5 * DAY, 20 * DAY))
    expect(shape(standingAfter(20 * DAY, 5 * DAY)).map(([began]) => began)).toEqual(['first', 'quiet'])
    expect(standingAfter(20 * DAY, 20 * DAY - WINDOW).episodes).toHaveLength(1)
  })

  it('go on counting while ignored, and ignored it stays', () => {
    const standing = addOccurrences({ ...standingAfter(DAY), status: 'ignored' }, at(30 * DAY))
    expect(standing.status).toBe('ignored')
    expect(standing.episodes.map(({ count }) => count)).toEqual([1, 1])
  })

  it('begin after the current one when errors are dated ahead of the resolve', () => {
    const ahead = resolved(standingAfter(0, WINDOW + DAY), WINDOW - DAY)
    const standing = addOccurrences(ahead, at(WINDOW + 2 * DAY))
    expect(standing.episodes.map(({ floorUs }) => floorUs)).toEqual([null, WINDOW, WINDOW])
    expect(addOccurrences(ahead, at(WINDOW)).status).toBe('resolved')
  })

  it('name the earlier of two errors of one time by the smaller id', () => {
    const [a, b] = [at(DAY, { firstLogId: 'log_a' }), at(DAY, { firstLogId: 'log_b' })]
    for (const order of [
      [a, b],
      [b, a],
    ] as const) {
      expect(order.reduce(addOccurrences, NONE).episodes[0]?.anchorLogId).toBe('log_a')
    }
  })

  it('are bounded: the oldest are folded together and nothing is uncounted', () => {
    const times = Array.from({ length: MAX_EPISODES + 50 }, (_, n) => n * 8 * DAY)
    const { episodes } = standingAfter(...times)
    expect(episodes).toHaveLength(MAX_EPISODES)
    expect(episodes[0]).toMatchObject({
      floorUs: null,
      began: 'first',
      anchorUs: 0,
      lastSeenUs: 50 * 8 * DAY,
      count: 51,
    })
    expect(episodes.reduce((sum, { count }) => sum + count, 0)).toBe(times.length)
  })
})

/** All errors known, all floors known: an episode is what lies between two floors. */
function oracle(events: readonly ({ error: number } | { resolveAfter: number })[]) {
  let floors = [Number.NEGATIVE_INFINITY]
  let resolvedAt: number | null = null
  const known: number[] = []
  const ofFloor = (i: number) => known.filter((t) => t > (floors[i] ?? 0) && t <= (floors[i + 1] ?? Infinity))
  for (const event of events) {
    if ('resolveAfter' in event) {
      if (known.length > 0) resolvedAt = Math.max(...known) + event.resolveAfter
      continue
    }
    const last = Math.max(...ofFloor(floors.length - 1))
    if (resolvedAt !== null && event.error > resolvedAt) {
      floors.push(resolvedAt)
      resolvedAt = null
    } else if (known.length > 0 && event.error > last + WINDOW) floors.push(last + WINDOW)
    else if (event.error + WINDOW < Math.min(...ofFloor(0))) {
      if (known.length > 0) floors = [Number.NEGATIVE_INFINITY, event.error + WINDOW, ...floors.slice(1)]
    }
    known.push(event.error)
  }
  return floors.map((_, i) => [Math.min(...ofFloor(i)), Math.max(...ofFloor(i)), ofFloor(i).length])
}

const times = fc.integer({ min: 0, max: 60 * 24 }).map((hours) => (hours * DAY) / 24)
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: times.map((error) => ({ error })) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 10 }).map((days) => ({ resolveAfter: days * DAY })) },
  ),
  { minLength: 1, maxLength: 40 },
)

describe('episodes of any errors in any order', () => {
  it('hold what lies between their floors', () => {
    fc.assert(
      fc.property(events, (all) => {
        let standing = NONE
        let latest = Number.NEGATIVE_INFINITY
        for (const event of all) {
          if ('error' in event) {
            standing = addOccurrences(standing, at(event.error))
            latest = Math.max(latest, event.error)
          } else if (standing.episodes.length > 0) standing = resolved(standing, latest + event.resolveAfter)
        }
        if (standing.episodes.length === 0) return
        const found = standing.episodes.map(({ anchorUs, lastSeenUs, count }) => [anchorUs, lastSeenUs, count])
        expect(found).toEqual(oracle(all))
      }),
      { numRuns: 2_000 },
    )
  })

  it('are the same whether a day of errors comes at once, cut where it must be, or one by one', () => {
    const day = fc.record({ start: times, hours: fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1 }) })
    const sorted = day.map(({ start, hours }) => hours.sort((a, b) => a - b).map((hour) => start + (hour * DAY) / 24))
    fc.assert(
      fc.property(events, sorted, (before, errors) => {
        let standing = NONE
        for (const event of before) {
          if ('error' in event) standing = addOccurrences(standing, at(event.error))
          else if (standing.episodes.length > 0)
            standing = resolved(standing, (standing.episodes.at(-1)?.lastSeenUs ?? 0) + event.resolveAfter)
        }
        // Long before the first episode a group goes as a whole where its end leads it.
        fc.pre(standing.episodes.length > 0 && (errors[0] ?? 0) + WINDOW >= (standing.episodes[0]?.anchorUs ?? 0))
        const single = errors.reduce((into, time) => addOccurrences(into, at(time)), standing)
        expect(addCut(standing, errors)).toEqual(single)
      }),
      { numRuns: 1_000 },
    )
  })
})

function addCut(standing: Standing, errors: readonly number[]): Standing {
  if (errors.length === 0) return standing
  const group = at(errors[0] ?? 0, { lastUs: errors.at(-1) ?? 0, count: errors.length })
  const cut = neededCut(standing, group)
  if (cut === null) return addOccurrences(standing, group)
  const before = errors.filter((time) => time <= cut)
  return addCut(
    addCut(standing, before),
    errors.filter((time) => time > cut),
  )
}

describe('merging episodes', () => {
  it('keeps every error and the earliest and latest time', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1 }), fc.array(times, { minLength: 1 }), (mine, theirs) => {
        const { episodes } = mergeEpisodes(standingAfter(...mine), standingAfter(...theirs).episodes)
        const all = [...mine, ...theirs]
        expect(episodes.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
        expect(episodes[0]?.anchorUs).toBe(Math.min(...all))
        expect(Math.max(...episodes.map(({ lastSeenUs }) => lastSeenUs))).toBe(Math.max(...all))
      }),
    )
  })

  it('opens a resolved analysis when the other has errors after the resolve', () => {
    const merged = mergeEpisodes(resolved(standingAfter(DAY), 2 * DAY), standingAfter(3 * DAY).episodes)
    expect(merged.status).toBe('open')
    expect(shape(merged).at(-1)).toEqual(['resolved', 2 * DAY, 3 * DAY, 3 * DAY, 1])
  })
})
