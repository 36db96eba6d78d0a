/** Lengths of time as people say them: the two largest units, `4 min 12 s`. */
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const first = UNITS.findIndex(([, size]) => whole >= size)
  if (first < 0) return '0 s'
  const [unit, size] = UNITS[first]!
  const rest = UNITS[first + 1]
  const restCount = rest ? Math.floor((whole % size) / rest[1]) : 0
  const head = `${Math.floor(whole / size)} ${unit}`
  return rest && restCount > 0 ? `${head} ${restCount} ${rest[0]}` : head
}

/** `5 min ago`, `in 3 d`, `now`. */
export function formatAgo(timestamp: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(timestamp)) / 1_000
  if (Math.abs(seconds) < 5) return 'now'
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['s', 1]
  const text = `${Math.floor(Math.abs(seconds) / size)} ${unit}`
  return seconds > 0 ? `${text} ago` : `in ${text}`
}
