import { describe, expect, it } from 'vitest'
import { LEVEL_NUMBER } from '../../model/level.ts'
import { levelOfBytes } from './level-words.ts'

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
    const start = '"level":"'.length
    expect(levelOfBytes(Buffer.from(`"level":"${word}","a":1`), start, start + word.length)).toBe(LEVEL_NUMBER[level])
  })

  it.each(['', 'inf o', 'infos', 'in', 'loud', 'iNFO', ' info', '8', '35', '\u00e4', 'info\\u0020'])(
    'is left to the plain path when it is not known so: %s',
    (word) => {
      expect(levelOfBytes(Buffer.from(`${word}"`), 0, Buffer.byteLength(word))).toBe(0)
    },
  )

  it('is not found where the bytes end', () => {
    expect(levelOfBytes(Buffer.from('inf'), 0, 4)).toBe(0)
    expect(levelOfBytes(Buffer.from(''), 0, 0)).toBe(0)
  })
})
