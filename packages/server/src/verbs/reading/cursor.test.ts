import { describe, expect, it } from 'vitest'
import { type Cursor, createCursors } from './cursor.ts'

const cursors = createCursors('a secret of this instance')
const scope = { projectId: 'prj_a', question: ['logs', 'newest', 'timeout', undefined] }
const cursor: Cursor = { fromUs: 1, toUs: 2, after: { kind: 'log', timeUs: 1, id: 'log_x' } }
const deployCursor: Cursor = {
  fromUs: 1,
  toUs: 2,
  after: { kind: 'deploy', timeUs: 1, id: 'dep_x', createdAt: '2026-01-01T00:00:00.000Z' },
}

const open = (text: string, some: Partial<typeof scope> = {}) => cursors.open(text, { ...scope, ...some })

describe('a cursor', () => {
  it('gives back what it was made of', () => {
    expect(open(cursors.seal(cursor, scope))).toEqual(cursor)
    expect(open(cursors.seal(deployCursor, scope))).toEqual(deployCursor)
  })

  it('is short enough for an address, with ids as long as ours', () => {
    const id = 'dep_0198f3a1-0000-7000-8000-000000000000'
    const after = { ...deployCursor.after, id, timeUs: 4_102_444_800_000_000 } as Cursor['after']
    const text = cursors.seal({ fromUs: 4_102_444_800_000_000, toUs: 4_102_444_800_000_000, after }, scope)
    expect(text.length).toBeLessThan(600)
    expect(text).toMatch(/^[\w-]+$/)
  })

  it('is refused when a single character of it is changed', () => {
    const text = cursors.seal(cursor, scope)
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      expect(() => open(changed), changed).toThrow('This is not a cursor that was given here, or it was changed.')
    }
  })

  it('is refused when it is no cursor at all', () => {
    for (const text of ['', 'x', 'null', `${cursors.seal(cursor, scope)}=`, 'A'.repeat(2_000)]) {
      expect(() => open(text), text).toThrow('To start again, leave the cursor out.')
    }
  })

  it('is refused in another project', () => {
    expect(() => open(cursors.seal(cursor, scope), { projectId: 'prj_b' })).toThrow(
      'This cursor belongs to another project.',
    )
  })

  it('is refused for another query, order or kind of list', () => {
    const text = cursors.seal(cursor, scope)
    for (const question of [
      ['logs', 'newest', 'timeout', ''],
      ['logs', 'oldest', 'timeout', undefined],
      ['logs', 'newest', 'time', 'out'],
      ['deploys', 'newest', 'timeout', undefined],
    ]) {
      expect(() => open(text, { question })).toThrow('repeat the same query, filters and order')
    }
  })

  it('is refused by an instance with another secret', () => {
    expect(() => createCursors('another').open(cursors.seal(cursor, scope), scope)).toThrow('leave the cursor out')
  })

  it('is refused as an invalid request that names its field', () => {
    let error: unknown
    try {
      open('x')
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: 'cursor' }] })
  })
})
