/** Source maps as bundlers write them, made from positions, for tests. */

/** All count from zero. */
export type Segment = [generatedColumn: number, source?: number, line?: number, column?: number, name?: number]

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2
  let text = ''
  do {
    const digit = rest % 32
    rest = Math.floor(rest / 32)
    text += DIGITS[digit + (rest > 0 ? 32 : 0)]
  } while (rest > 0)
  return text
}

export function mappingsOf(lines: readonly (readonly Segment[])[]): string {
  const last = [0, 0, 0, 0, 0]
  return lines
    .map((segments) => {
      last[0] = 0
      return segments
        .map((segment) =>
          segment
            .map((value = 0, at) => {
              const text = vlq(value - last[at]!)
              last[at] = value
              return text
            })
            .join(''),
        )
        .join(',')
    })
    .join(';')
}

export function mapBytes(map: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify({ version: 3, names: [], sources: ['src/a.ts'], ...map }))
}
