/**
 * Tidemark beside VictoriaLogs on the same cores, the same records from the same sender, in turns: a burst of records until
 * all are found, questions over them, and minutes at full load with a question each second.
 * `--victoria-logs PATH` names its program. `--rounds N` (3), `--records N` of the burst (a million), `--minutes N` (2).
 * What VictoriaLogs acknowledges is in its memory, what Tidemark acknowledges is on disk.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ndjsonBodies } from '../benchmark-records.ts'
import { CONNECTIONS, keepSending, RECORDS_PER_REQUEST } from '../keep-sending.ts'
import { type BenchResult, figure, median, numberAfter, percentile, reached, textAfter } from '../result.ts'
import { sendAll } from '../send.ts'
import { sideBySide, timed } from '../side-by-side.ts'
import { type Asked, QUESTIONS, type Store } from './store.ts'
import { openTidemark } from './tidemark.ts'
import { openVictoriaLogs } from './victoria-logs.ts'

const ASK_EVERY_MS = 1_000
const ASKED_TIMES = 20

/** Figures of one store by their names. */
type Measured = Map<string, number>
type Unit = { unit: string; more: 'better' | 'worse' }

const FIGURES: Record<string, Unit> = {
  'burst: until all are found': { unit: 'records/s', more: 'better' },
  'burst: acknowledgement p99': { unit: 'ms', more: 'worse' },
  ...Object.fromEntries(
    Object.values(QUESTIONS).flatMap((question) => [
      [`${question}: p50`, { unit: 'ms', more: 'worse' }],
      [`${question}: p95`, { unit: 'ms', more: 'worse' }],
    ]),
  ),
  'full load: until all are found': { unit: 'records/s', more: 'better' },
  'full load: acknowledgement p99': { unit: 'ms', more: 'worse' },
  'full load: newest 100 beside it, p50': { unit: 'ms', more: 'worse' },
  'full load: newest 100 beside it, p95': { unit: 'ms', more: 'worse' },
  'full load: CPU of a million records': { unit: 's', more: 'worse' },
  'full load: memory': { unit: 'MB', more: 'worse' },
  'full load: disk of a record right after': { unit: 'bytes', more: 'worse' },
}

export async function peer(args: string[]): Promise<BenchResult[]> {
  const program = textAfter(args, '--victoria-logs')
  if (program === undefined || !existsSync(program)) {
    console.error(`  There is no program ${program ?? 'named'}: say where it is with --victoria-logs PATH.`)
    process.exitCode = 1
    return []
  }
  const rounds = numberAfter(args, '--rounds') ?? 3
  const records = numberAfter(args, '--records') ?? 1_000_000
  const minutes = numberAfter(args, '--minutes') ?? 2
  const ours: Measured[] = []
  const theirs: Measured[] = []
  for (let round = 1; round <= rounds; round++) {
    const bursts = await burstAndQuestions(program, records)
    const own = await apart(openTidemark, (store) => fullLoad(store, minutes))
    const other = await apart(
      () => openVictoriaLogs(program),
      (store) => fullLoad(store, minutes),
    )
    ours.push(new Map([...bursts.ours, ...own]))
    theirs.push(new Map([...bursts.theirs, ...other]))
    console.log(`  round ${round}: ${rateOf(own)} and ${rateOf(other)} records/s at full load`)
  }
  return Object.entries(FIGURES).flatMap(([name, unit]) =>
    compared(name, unit, middle(ours, name), middle(theirs, name)),
  )
}

/** Both stay up for the questions, which are asked in turns; while one is filled the other does nothing. */
async function burstAndQuestions(program: string, records: number): Promise<{ ours: Measured; theirs: Measured }> {
  const bodies = ndjsonBodies(records, RECORDS_PER_REQUEST)
  const own = await openTidemark()
  try {
    const other = await openVictoriaLogs(program)
    try {
      const ours = await burst(own, bodies, records)
      await own.settled()
      const theirs = await burst(other, bodies, records)
      await other.settled()
      for (const [key, question] of Object.entries(QUESTIONS) as [Asked, string][]) {
        const times = await sideBySide(ASKED_TIMES, own.ask[key], other.ask[key])
        ours.set(`${question}: p50`, times.ours.p50).set(`${question}: p95`, times.ours.p95)
        theirs.set(`${question}: p50`, times.theirs.p50).set(`${question}: p95`, times.theirs.p95)
      }
      return { ours, theirs }
    } finally {
      await other.stop()
    }
  } finally {
    await own.stop()
  }
}

async function apart(open: () => Promise<Store>, measure: (store: Store) => Promise<Measured>): Promise<Measured> {
  const store = await open()
  try {
    return await measure(store)
  } finally {
    await store.stop()
  }
}

async function burst(store: Store, bodies: readonly Buffer[], records: number): Promise<Measured> {
  const startedAt = performance.now()
  const latencies = await sendAll(store.door, bodies, CONNECTIONS)
  await allFound(store, records)
  const seconds = (performance.now() - startedAt) / 1_000
  return new Map([
    ['burst: until all are found', records / seconds],
    ['burst: acknowledgement p99', percentile(latencies, 0.99)],
  ])
}

async function fullLoad(store: Store, minutes: number): Promise<Measured> {
  const before = store.usage()
  const reads: number[] = []
  const startedAt = performance.now()
  const load = keepSending(store.door)
  while (performance.now() < startedAt + minutes * 60_000) {
    await sleep(ASK_EVERY_MS)
    reads.push(...(await timed(1, store.ask.newest)))
  }
  const { acknowledged, latencies } = await load.stop()
  await allFound(store, acknowledged)
  const seconds = (performance.now() - startedAt) / 1_000
  const after = store.usage()
  return new Map([
    ['full load: until all are found', acknowledged / seconds],
    ['full load: acknowledgement p99', percentile(latencies, 0.99)],
    ['full load: newest 100 beside it, p50', percentile(reads, 0.5)],
    ['full load: newest 100 beside it, p95', percentile(reads, 0.95)],
    ['full load: CPU of a million records', ((after.cpuSeconds - before.cpuSeconds) / acknowledged) * 1e6],
    ['full load: memory', after.rssBytes / 1e6],
    ['full load: disk of a record right after', store.diskBytes() / acknowledged],
  ])
}

async function allFound(store: Store, records: number): Promise<void> {
  while ((await store.found()) < records) await sleep(50)
}

function middle(rounds: readonly Measured[], name: string): number {
  return median(rounds.map((measured) => measured.get(name) ?? Number.NaN))
}

function compared(name: string, { unit, more }: Unit, ours: number, theirs: number): BenchResult[] {
  const ratio = `${name}: Tidemark against VictoriaLogs`
  return [
    figure(`${name}: Tidemark`, ours, unit),
    figure(`${name}: VictoriaLogs`, theirs, unit),
    more === 'better' ? reached(ratio, ours / theirs, 'ratio', 1) : figure(ratio, ours / theirs, 'ratio', 1),
  ]
}

function rateOf(measured: Measured): number {
  return Math.round(measured.get('full load: until all are found') ?? Number.NaN)
}
