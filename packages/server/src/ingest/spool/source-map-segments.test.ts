import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import type { SourceStacks } from '../../model/source-stacks.ts'
import { createSegmentMapping } from './source-map-segments.ts'

const segment = { id: 'seg_1', path: '/nowhere', frames: [] }

/** Counts how often it was asked for maps, and what was warned of. */
function mapping(among: SourceStacks['among']) {
  const seen = { asked: 0, warnings: [] as string[] }
  const log = pino({ level: 'warn' }, { write: (line) => seen.warnings.push(JSON.parse(line).err.message) })
  const sources: SourceStacks = {
    among(ids) {
      seen.asked++
      return among(ids)
    },
  }
  return { seen, ...createSegmentMapping({ sources, log }) }
}

describe('the mapping of segments', () => {
  it('is done once for a segment, until the segment is done', async () => {
    const { seen, map, forget } = mapping(async () => null)
    await map(segment)
    await map(segment)
    expect(seen.asked).toBe(1)
    await map({ ...segment, id: 'seg_2' })
    expect(seen.asked).toBe(2)
    forget('seg_1')
    await map(segment)
    expect(seen).toEqual({ asked: 3, warnings: [] })
  })

  it('asks a store that is away three times, then goes without', async () => {
    const { seen, map } = mapping(() => Promise.reject(new AppError('unavailable', 'away')))
    await expect(map(segment)).rejects.toThrow('away')
    await expect(map(segment)).rejects.toThrow('away')
    await map(segment)
    await map(segment)
    expect(seen).toEqual({ asked: 3, warnings: ['away'] })
  })

  it.each([
    new AppError('internal', 'no cure'),
    new RangeError('no cure'),
    Object.assign(new Error('no cure'), { code: 'EIO' }),
  ])('goes without at once where another attempt is no use: %s', async (error) => {
    const { seen, map } = mapping(() => Promise.reject(error))
    await map(segment)
    await map(segment)
    expect(seen).toEqual({ asked: 1, warnings: ['no cure'] })
  })
})
