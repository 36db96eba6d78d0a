import { describe, expect, it } from 'vitest'
import { foldFrames, placeOf } from './stack.tsx'

const frame = (name: string, inApp: boolean) => ({ function: name, file: `${name}.ts`, line: 1, column: null, inApp })

describe('the frames of a stack', () => {
  it('keep their order, with runs of libraries between those of the program', () => {
    const runs = foldFrames([
      frame('a', true),
      frame('b', true),
      frame('c', false),
      frame('d', false),
      frame('e', true),
    ])
    expect(runs.map(({ isLibrary, frames }) => [isLibrary, frames.map((one) => one.function).join('')])).toEqual([
      [false, 'ab'],
      [true, 'cd'],
      [false, 'e'],
    ])
  })

  it('name their place as editors open it', () => {
    const at = { function: 'f', file: 'src/cart.ts', inApp: true }
    expect(placeOf({ ...at, line: 42, column: 7 })).toBe('src/cart.ts:42:7')
    expect(placeOf({ ...at, line: 42, column: null })).toBe('src/cart.ts:42')
    expect(placeOf({ ...at, line: null, column: null })).toBe('src/cart.ts')
  })
})
