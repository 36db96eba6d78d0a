import { describe, expect, it } from 'vitest'
import { LEVEL_NUMBER } from '../../model/level.ts'
import { levelWordAt } from './level-words.ts'

describe('a level as it is written', () => {
  it.each([
    ['info', 'info'],
    ['INFO', 'info'],
    ['Warning', 'warn'],
    ['d', 'debug'],
    ['debug5', 'debug'],
    ['CRIT', 'fatal'],
    ['30', 'info'],
    ['7', 'debug'],
  ] as const)('is recognised by its bytes: %s', (word, level) => {
    const found = levelWordAt(Buffer.from(`"level":"${word}","a":1`), '"level":"'.length)!
    expect(found.level).toBe(LEVEL_NUMBER[level])
    expect(Buffer.from(found.bytes).toString()).toBe(`${word}"`)
  })

  it.each(['', 'inf o', 'infos', 'in', 'loud', 'iNFO', ' info', '8', '35', '\u00e4', 'info\\u0020'])(
    'is left to the plain path when it is not known so: %s',
    (word) => {
      expect(levelWordAt(Buffer.from(`${word}"`), 0)).toBe(null)
    },
  )

  it('is not found where the bytes end', () => {
    expect(levelWordAt(Buffer.from('info'), 0)).toBe(null)
    expect(levelWordAt(Buffer.from(''), 0)).toBe(null)
  })
})
