const MAX_CANDIDATES = 5_000

/** The names most like the given one, nearest first; none that differ in more than a third of their letters. */
export function nearestNames(name: string, candidates: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase()
  const most = Math.max(1, Math.floor(wanted.length / 3))
  const near: { candidate: string; distance: number }[] = []
  let seen = 0
  for (const candidate of candidates) {
    if (++seen > MAX_CANDIDATES) break
    const distance = editDistance(wanted, candidate.toLowerCase(), most)
    // The last part of a dotted name is what people remember.
    const isTail = candidate.toLowerCase().endsWith(`.${wanted}`)
    if (distance <= most || isTail) near.push({ candidate, distance: isTail ? 1 : distance })
  }
  near.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
  return near.slice(0, count).map(({ candidate }) => candidate)
}

/** Insertions, deletions, changes and swapped neighbours; `most + 1` as soon as it is more than `most`. */
function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = last[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      let cost = Math.min(change, last[j]! + 1, row[j - 1]! + 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwap) cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row.push(cost)
    }
    if (Math.min(...row) > most) return most + 1
    beforeLast = last
    last = row
  }
  return last[other.length]!
}
