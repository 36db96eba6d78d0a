/**
 * Three questions about patterns: how well do they tell messages apart (see `pattern-accuracy.ts`; `--loghub DIR` adds the
 * labelled `*_structured.csv` files in DIR), how many records a second can one core give a pattern and, when they are
 * errors, a fingerprint, and how long does it take to merge the patterns of a question.
 */
import { type FingerprintInput, fingerprintId } from '../packages/server/src/analysis/group/fingerprint.ts'
import { mergePatterns } from '../packages/server/src/analysis/pattern/merge-patterns.ts'
import { patternId, patternOf } from '../packages/server/src/analysis/pattern/pattern.ts'
import { inventedAccuracy, labelledAccuracy } from './pattern-accuracy.ts'
import { patternSets } from './pattern-sets/index.ts'
import { type BenchResult, figure, percentile, reached, textAfter } from './result.ts'

const RECORDS_PER_SECOND_BAR = 200_000
const RECORDS = 20_000
const ROUNDS = 7
const ERROR_EVERY = 33

const MERGED_TEMPLATES = 3_000
const MERGE_MILLISECONDS_BAR = 20
const MERGE_WARM_UP = 20
const MERGE_ROUNDS = 41

export async function patterns(args: string[]): Promise<BenchResult[]> {
  const directory = textAfter(args, '--loghub')
  const labelled = directory === undefined ? [] : await labelledAccuracy(directory)
  return [...labelled, ...inventedAccuracy(), throughput(), mergeTime()]
}

/** The median in processor time, of templates of many programs. */
function mergeTime(): BenchResult {
  const templates = manyTemplates(MERGED_TEMPLATES)
  const times: number[] = []
  for (let round = 0; round < MERGE_WARM_UP + MERGE_ROUNDS; round++) {
    const started = process.cpuUsage()
    mergePatterns(templates)
    const { user, system } = process.cpuUsage(started)
    if (round >= MERGE_WARM_UP) times.push((user + system) / 1_000)
  }
  return figure(`merging ${templates.length} patterns`, percentile(times, 0.5), 'ms', MERGE_MILLISECONDS_BAR)
}

/** The same share of each program, through JSON as from the log store. */
function manyTemplates(count: number): { text: string; count: number }[] {
  const counts = new Map<string, number>()
  const programs = patternSets().map(({ lines }) => lines)
  for (let at = 0; counts.size < count && at < Math.max(...programs.map((lines) => lines.length)); at++) {
    for (const lines of programs) {
      const text = patternOf(lines[at]?.message ?? '').text
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  const templates = [...counts].slice(0, count).map(([text, of]) => ({ text, count: of }))
  return JSON.parse(JSON.stringify(templates))
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
  return reached('pattern and fingerprint on one core', Math.round(best), 'records/s', RECORDS_PER_SECOND_BAR)
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
