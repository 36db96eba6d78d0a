import { describe, expect, it } from 'vitest'
import type { PatternPlace } from '../../../logstore/questions.ts'
import type { ProjectId } from '../../../model/project.ts'
import { PatternTexts, readTexts } from './pattern-texts.ts'

const [MINE, THEIRS] = ['prj_a', 'prj_b'] as [ProjectId, ProjectId]

/** A store where every message says whose it is; what was asked is kept. */
function open(known = new PatternTexts()) {
  const asked: string[] = []
  const read = async (project: ProjectId, ...patterns: string[]) => {
    const patternSamples = async (_: unknown, places: readonly PatternPlace[]) => {
      asked.push(...places.map(({ pattern }) => `${project} ${pattern}`))
      return places
        .filter(({ pattern }) => pattern !== 'gone')
        .map((place) => ({ ...place, id: `log_${place.pattern}`, message: `${project} took ${place.timeUs} steps` }))
    }
    const places = patterns.map((pattern, at) => ({ pattern, timeUs: at + 1 }))
    return readTexts(known, { patternSamples }, project, { filter: { root: null }, places })
  }
  return { asked, read }
}

describe('the texts of patterns', () => {
  it('are made of messages, and read once', async () => {
    const { asked, read } = open()
    const first = await read(MINE, 'a', 'b')
    expect([...first.texts]).toEqual([
      ['a', 'prj_a took <*> steps'],
      ['b', 'prj_a took <*> steps'],
    ])
    expect(first.samples.get('b')).toEqual({ id: 'log_b', message: 'prj_a took 2 steps' })
    const second = await read(MINE, 'b', 'c')
    expect([...second.texts.keys()].sort()).toEqual(['b', 'c'])
    expect(asked).toEqual(['prj_a a', 'prj_a b', 'prj_a c'])
  })

  it('of one project are never those of another', async () => {
    const { read } = open()
    await read(MINE, 'a')
    expect((await read(THEIRS, 'a')).texts.get('a')).toBe('prj_b took <*> steps')
  })

  it('of records that went meanwhile are left out, and looked for again', async () => {
    const { asked, read } = open()
    expect((await read(MINE, 'gone')).texts.size).toBe(0)
    await read(MINE, 'gone')
    expect(asked).toEqual(['prj_a gone', 'prj_a gone'])
  })

  it('take a bounded room: those that were not asked for longest go', () => {
    const texts = new PatternTexts(1_000)
    texts.keep(MINE, 'a', 'x'.repeat(300))
    texts.keep(MINE, 'b', 'x'.repeat(300))
    texts.get(MINE, 'a')
    texts.keep(MINE, 'c', 'x'.repeat(300))
    expect(['a', 'b', 'c'].filter((one) => texts.get(MINE, one) !== undefined)).toEqual(['a', 'c'])
    texts.keep(MINE, 'a', 'short')
    texts.keep(MINE, 'b', 'x'.repeat(200))
    expect(['a', 'b', 'c'].filter((one) => texts.get(MINE, one) !== undefined)).toEqual(['a', 'b', 'c'])
    texts.keep(MINE, 'huge', 'x'.repeat(1_000))
    expect(texts.get(MINE, 'huge')).toBeUndefined()
  })
})
