const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** The two largest units: `3 d 4 h`, `12 min 5 s`, `0 s`. */
export function elapsedText(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  for (const [name, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0 || (parts.length > 0 && parts.length < 2)) parts.push(`${count} ${name}`)
    if (parts.length === 2) break
  }
  return parts.filter((part, index) => index === 0 || !part.startsWith('0 ')).join(' ') || '0 s'
}
