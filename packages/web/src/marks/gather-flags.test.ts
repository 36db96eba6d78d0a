import { describe, expect, it } from 'vitest'
import { flagWidth, gatherFlags, linesPerPixel } from './gather-flags.ts'

const at = (...places: number[]) => places.map((x) => ({ x }))
const gathered = (places: number[], width = 700) =>
  gatherFlags(at(...places), { width }).map(({ its }) => its.map(({ x }) => x))

describe('flags', () => {
  it('that would cover each other are one, oldest first', () => {
    expect(gathered([310, 300, 340])).toEqual([[300, 310], [340]])
  })

  it('stand for no more than they are wide, however close the deploys follow each other', () => {
    for (const every of [1, 4, 9, 15, 19, 25, 33]) {
      const places = Array.from({ length: Math.ceil(700 / every) }, (_, index) => index * every)
      const flags = gatherFlags(at(...places), { width: 700 })
      for (const { its } of flags.slice(1)) {
        expect(its.at(-1)!.x - its[0]!.x, `every ${every} px`).toBeLessThan(flagWidth(its))
      }
    }
  })

  it('cover neither each other nor the edge, and touch their line', () => {
    for (const every of [1, 4, 9, 15, 19, 25, 33]) {
      const places = Array.from({ length: Math.ceil(700 / every) }, (_, index) => index * every)
      const flags = gatherFlags(at(...places, 699), { width: 700 })
      const edges = flags.flatMap(({ left, width }) => [left, left + width])
      expect(edges, `every ${every} px`).toEqual(edges.toSorted((one, other) => one - other))
      expect(edges[0]).toBeGreaterThanOrEqual(0)
      expect(edges.at(-1)).toBeLessThanOrEqual(700)
      for (const { x, left, width } of flags) {
        expect(left, `every ${every} px`).toBeLessThanOrEqual(x)
        expect(left + width, `every ${every} px`).toBeGreaterThanOrEqual(x)
      }
      expect(flags.flatMap(({ its }) => its)).toHaveLength(places.length + 1)
    }
  })

  it('at the end have those before them give way rather than gather them', () => {
    const leftOf = (...places: number[]) =>
      gatherFlags(at(...places), { width: 700 }).map(({ its, left }) => [its.length, left])
    expect(leftOf(600, 660, 682).map(([, left]) => left)).toEqual([600, 660, 680])
    expect(leftOf(600, 640, 668, 690, 699)).toEqual([
      [1, 600],
      [1, 628],
      [1, 648],
      [2, 668],
    ])
  })

  it('at the end gather one before them where it could not touch its line', () => {
    const widthOf = (its: readonly { x: number }[]) => (its.some(({ x }) => x === 690) ? 100 : flagWidth(its))
    const flags = gatherFlags(at(560, 580, 650, 690), { width: 700, widthOf })
    expect(flags.map(({ its, left }) => [its.length, left])).toEqual([
      [1, 560],
      [1, 580],
      [2, 600],
    ])
  })
})

describe('lines', () => {
  it('are at most one for each pixel, strong if any of them is', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({ x: index / 100, isStrong: index === 12_345 }))
    const lines = linesPerPixel(many, 400)
    expect(lines).toHaveLength(400)
    expect(lines.filter(({ isStrong }) => isStrong)).toEqual([{ x: 123, isStrong: true }])
    expect(Math.max(...lines.map(({ x }) => x)), 'half of it is on either side').toBe(399)
  })
})
