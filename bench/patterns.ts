/**
 * Two questions about the work that ingest does for every record: how well do patterns tell messages apart (grouping
 * accuracy on labelled logs, `--loghub DIR` with `*_structured.csv` files), and how many records a second can one core
 * give a pattern and, when they are errors, a fingerprint.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FingerprintInput, fingerprintId } from '../packages/server/src/analysis/group/fingerprint.ts'
import { toBigInt } from '../packages/server/src/analysis/pattern/hash.ts'
import { patternId } from '../packages/server/src/analysis/pattern/pattern.ts'
import type { BenchResult } from './result.ts'

const ACCURACY_BAR = 0.95
const RECORDS_PER_SECOND_BAR = 200_000
const RECORDS = 20_000
const ROUNDS = 7
const ERROR_EVERY = 33

export async function patterns(args: string[]): Promise<BenchResult[]> {
  const at = args.indexOf('--loghub')
  const directory = at === -1 ? undefined : args[at + 1]
  return [...(directory === undefined ? [] : await accuracy(directory)), throughput()]
}

async function accuracy(directory: string): Promise<BenchResult[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('_structured.csv')).sort()
  const results: BenchResult[] = []
  for (const file of files) {
    const value = groupingAccuracy(parseCsv(await readFile(join(directory, file), 'utf8')))
    results.push({ name: `grouping accuracy ${file.replace(/_.*/, '')}`, value, unit: 'share', bar: null, holds: null })
  }
  const mean = results.reduce((sum, result) => sum + result.value, 0) / results.length
  return [
    ...results,
    { name: 'grouping accuracy mean', value: mean, unit: 'share', bar: ACCURACY_BAR, holds: mean >= ACCURACY_BAR },
  ]
}

/** As logparser defines it: the share of lines whose predicted group has exactly the lines of a true group. */
function groupingAccuracy([header, ...rows]: string[][]): number {
  const content = header?.indexOf('Content') ?? -1
  const event = header?.indexOf('EventId') ?? -1
  if (content === -1 || event === -1) throw new Error('A structured log file needs the columns Content and EventId.')
  const truth = rows.map((row) => row[event] ?? '')
  const predicted = rows.map((row) => toBigInt(patternId(row[content] ?? '')).toString(16))
  const trueSizes = countsOf(truth)
  const sizes = countsOf(predicted)
  // A predicted group is right when all its lines share one event and the event has no more lines than the group.
  const pairs = countsOf(predicted.map((id, row) => `${id} ${truth[row]}`))
  let right = 0
  for (const [pair, count] of pairs) {
    const [id = '', eventId = ''] = pair.split(' ')
    if (count === sizes.get(id) && count === trueSizes.get(eventId)) right += count
  }
  return right / rows.length
}

function countsOf(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
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

/** In processor time, so that a neighbour on the machine does not count. */
function throughput(): BenchResult {
  const records = sampleRecords(RECORDS)
  let best = 0
  let checksum = 0
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage()
    for (const record of records) checksum ^= patternId(record.message).lo ^ (fingerprintId(record)?.lo ?? 0)
    const { user, system } = process.cpuUsage(started)
    best = Math.max(best, (RECORDS / (user + system)) * 1e6)
  }
  // Read, so that no compiler can optimise the work away.
  if (Number.isNaN(checksum)) throw new Error('The checksum is no number.')
  const value = Math.round(best)
  return {
    name: 'pattern and fingerprint on one core',
    value,
    unit: 'records/s',
    bar: RECORDS_PER_SECOND_BAR,
    holds: value >= RECORDS_PER_SECOND_BAR,
  }
}

/** Records as services write them: messages of about 280 bytes in four styles, three in a hundred errors with a stack. */
function sampleRecords(count: number): FingerprintInput[] {
  // Through JSON, as in ingest: a concatenated string is slower to read than a parsed one.
  return JSON.parse(JSON.stringify(Array.from({ length: count }, (_, i) => recordOf(i))))
}

function recordOf(i: number): FingerprintInput {
  const isFailure = i % ERROR_EVERY === 0
  return {
    level: isFailure ? 'error' : 'info',
    message: isFailure
      ? `Unhandled error in job ${idOf(i)}: cannot read row ${i} of batch ${i % 77}`
      : STYLES[i % STYLES.length]!(i),
    service: 'orders',
    logger: 'app.worker',
    error: isFailure ? errorOf(i) : null,
  }
}

const idOf = (i: number): string => (Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')

const STYLES: ((i: number) => string)[] = [
  (i) =>
    `Request completed method=GET path=/api/v1/orders/${i} status=200 duration=${i % 900}ms bytes=${i * 7} user_id=${idOf(i)} ` +
    `trace_id=${idOf(i).repeat(4)} remote=10.0.${i % 256}.${(i * 7) % 256}:${1024 + (i % 60_000)} agent="Mozilla/5.0 (X11; Linux)" ` +
    `referer=https://shop.example.com/cart/${i} cache=miss region=eu-west pod=orders-${idOf(i)}`,
  (i) =>
    `Order ${idOf(i)}-1234-5678-9abc-def012345678 for customer cust_${i} was accepted by the payment provider after ${i % 5} ` +
    `attempts in ${i % 1000} ms; the receipt has been queued for delivery to user${i}@example.com and the inventory service at ` +
    `inventory-${i % 20}.prod.internal:8443 will reserve ${i % 9} items in warehouse ${i % 12}`,
  (i) =>
    `{"event":"job.finished","queue":"emails","job":"${idOf(i)}","attempt":${i % 5},"durationMs":${i % 3000},"worker":"worker-${i % 32}",` +
    `"result":"ok","payload":{"template":"welcome","to":"user${i}@example.com","lang":"en"},"retries":0,"memory":${i * 13},"host":"node-${i % 40}","scheduledAt":"2026-01-02T03:04:05.${i % 1000}Z"}`,
  (i) =>
    `Connection pool for database orders on host db-${i % 5}.internal has ${i % 50} idle and ${i % 20} busy connections, the oldest of ` +
    `them was opened ${i % 600} seconds ago; waiting requests: ${i % 7}, longest wait ${i % 90} ms, timeouts ${i % 3}, closing connections that were idle for more than 300 seconds`,
]

function errorOf(i: number): NonNullable<FingerprintInput['error']> {
  const frames = Array.from({ length: 12 }, (_, depth) =>
    depth < 6
      ? `    at async Step${depth}.run (/srv/app/dist/steps/step-${depth}.js:${10 + (i % 90)}:${depth + 3})`
      : `    at Layer.handle [as handle_request] (/srv/app/node_modules/express/lib/router/layer.js:${90 + depth}:5)`,
  )
  const message = `Cannot read properties of undefined (reading 'row${i % 9}')`
  return { type: 'TypeError', message, stack: `TypeError: ${message}\n${frames.join('\n')}` }
}
