/** Prints what the sets are like: for each its templates, how skewed they are, and a few of its lines. */
import { type PatternSet, patternSets } from './index.ts'

const SAMPLES = 3

export async function main([seed]: string[]): Promise<void> {
  for (const set of patternSets(seed === undefined ? undefined : Number(seed))) console.log(described(set))
}

function described({ name, heldOut, lines }: PatternSet): string {
  const counts = new Map<string, number>()
  for (const { template } of lines) counts.set(template, (counts.get(template) ?? 0) + 1)
  const largest = Math.max(...counts.values()) / lines.length
  const seenOnce = [...counts.values()].filter((count) => count === 1).length
  return [
    `${name} (${heldOut ? 'held out' : 'development'}): ${lines.length} lines, ${counts.size} templates, ` +
      `the largest has ${Math.round(largest * 100)} %, ${seenOnce} are seen once`,
    ...lines.slice(0, SAMPLES).map(({ message }) => `  ${message}`),
  ].join('\n')
}
