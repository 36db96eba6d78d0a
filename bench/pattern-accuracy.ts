/**
 * How well messages are grouped into patterns: grouping accuracy on labelled lines, of the ids that ingest stores
 * ("before merging") and of what people see ("after merging"). Each set is merged alone, and all of them in one call, as
 * a project with many services is: the two must hardly differ.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mergePatterns } from '../packages/server/src/analysis/pattern/merge-patterns.ts'
import { patternOf } from '../packages/server/src/analysis/pattern/pattern.ts'
import { patternSets } from './pattern-sets/index.ts'
import { type BenchResult, reached } from './result.ts'

const ACCURACY_BAR = 0.95

type LabelledSet = { name: string; lines: string[]; truth: string[] }

/** Sets that came with the benchmark: what was learnt from, and what was not looked at. Reported without a bar. */
export function inventedAccuracy(): BenchResult[] {
  const sets = patternSets().map(({ name, heldOut, lines }) => ({
    name,
    heldOut,
    lines: lines.map(({ message }) => message),
    truth: lines.map(({ template }) => template),
  }))
  return [false, true].flatMap((heldOut) =>
    meansOf(
      heldOut ? 'held out' : 'development',
      sets.filter((set) => set.heldOut === heldOut),
      null,
    ),
  )
}

/** Sets in a directory, set by set, against the bar. */
export async function labelledAccuracy(directory: string): Promise<BenchResult[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('_structured.csv')).sort()
  const sets = await Promise.all(files.map((file) => readSet(directory, file)))
  const each = sets.flatMap(({ name, lines, truth }) => [
    accuracy(`${name} before merging`, groupingAccuracy(idsOf(lines), truth), null),
    accuracy(name, groupingAccuracy(mergedOf(lines), truth), null),
  ])
  return [...each, ...meansOf('labelled', sets, ACCURACY_BAR)]
}

function meansOf(name: string, sets: readonly LabelledSet[], bar: number | null): BenchResult[] {
  const scores = (predict: (lines: string[]) => string[]) =>
    sets.map(({ lines, truth }) => groupingAccuracy(predict(lines), truth))
  return [
    accuracy(`${name}, mean before merging`, mean(scores(idsOf)), null),
    accuracy(`${name}, mean`, mean(scores(mergedOf)), bar),
    accuracy(`${name}, mean when all are merged at once`, mean(scoresInOneCall(sets)), bar),
  ]
}

function scoresInOneCall(sets: readonly LabelledSet[]): number[] {
  const predicted = mergedOf(sets.flatMap(({ lines }) => lines))
  let from = 0
  return sets.map(({ lines, truth }) => {
    const own = predicted.slice(from, from + lines.length)
    from += lines.length
    return groupingAccuracy(own, truth)
  })
}

function idsOf(lines: readonly string[]): string[] {
  return lines.map((line) => patternOf(line).text)
}

/** For each line the number of its pattern after merging. */
function mergedOf(lines: readonly string[]): string[] {
  const texts = idsOf(lines)
  const templates = [...countsOf(texts)].map(([text, count]) => ({ text, count }))
  const groups = new Map<string, string>()
  mergePatterns(templates).forEach(({ members }, at) => {
    for (const member of members) groups.set(templates[member]!.text, String(at))
  })
  return texts.map((text) => groups.get(text) ?? '')
}

/** As logparser defines it: the share of lines whose predicted group has exactly the lines of a true group. */
function groupingAccuracy(predicted: readonly string[], truth: readonly string[]): number {
  const trueSizes = countsOf(truth)
  const sizes = countsOf(predicted)
  // A predicted group is right when all its lines share one event and the event has no more lines than the group.
  const pairs = countsOf(predicted.map((id, row) => JSON.stringify([id, truth[row]])))
  let right = 0
  for (const [pair, count] of pairs) {
    const [id, event] = JSON.parse(pair) as [string, string]
    if (count === sizes.get(id) && count === trueSizes.get(event)) right += count
  }
  return right / truth.length
}

function accuracy(name: string, value: number, bar: number | null): BenchResult {
  return reached(`grouping accuracy ${name}`, value, 'share', bar)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

async function readSet(directory: string, file: string): Promise<LabelledSet> {
  const [header, ...rows] = parseCsv(await readFile(join(directory, file), 'utf8'))
  const content = header?.indexOf('Content') ?? -1
  const event = header?.indexOf('EventId') ?? -1
  if (content === -1 || event === -1) throw new Error('A structured log file needs the columns Content and EventId.')
  const column = (at: number) => rows.map((row) => row[at] ?? '')
  return { name: file.replace(/_.*/, ''), lines: column(content), truth: column(event) }
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (quoted) {
      if (character !== '"') field += character
      else if (text[i + 1] === '"') field += text[++i]
      else quoted = false
    } else if (character === '"') quoted = true
    else if (character === ',' || character === '\n') {
      row.push(field.endsWith('\r') ? field.slice(0, -1) : field)
      field = ''
      if (character === '\n') {
        rows.push(row)
        row = []
      }
    } else field += character
  }
  if (field !== '' || row.length > 0) rows.push([...row, field])
  return rows
}
