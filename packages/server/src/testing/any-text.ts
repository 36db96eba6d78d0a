/**
 * Any text of whole code points, and the names that break careless programs. Instead of the generator's own `binary` unit,
 * which takes a second or more before its first text.
 */
import fc from 'fast-check'

const LAST = 0x10ffff
const SURROGATES = { first: 0xd800, count: 0x800 }

export function anyText(): fc.Arbitrary<string> {
  const codePoint = fc
    .integer({ min: 0, max: LAST - SURROGATES.count })
    .map((point) => String.fromCodePoint(point < SURROGATES.first ? point : point + SURROGATES.count))
  return fc.oneof({ arbitrary: fc.string({ unit: codePoint }), weight: 3 }, fc.string())
}
