/**
 * What each door costs: the same records in every protocol, in turns within one run, as ratios to NDJSON. How many records a
 * second become durable, and what a record takes of the service's processor, with what it takes until it is loaded.
 * Protocols with requests send bodies of 1,000 records over four connections; syslog and the journal are one stream each, as
 * their senders are. `--records N` sets how many in each turn, `--rounds N` how many turns.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../e2e/support/listening.ts'
import { type BenchResult, figure, numberAfter, percentile } from '../result.ts'
import { sendAll } from '../send.ts'
import { ServiceProcess } from '../service-process.ts'
import { DOORS, type Door } from './protocols.ts'
import { sendJournal, sendSyslog } from './streams.ts'

const RECORDS = 10_000
const ROUNDS = 5
const RECORDS_PER_BODY = 1_000
const CONNECTIONS = 4
const ASK_EVERY_MS = 10
/** Asking costs the service too. */

type Cost = { perSecond: number; cpuSeconds: number }

export async function doors(args: string[]): Promise<BenchResult[]> {
  const records = numberAfter(args, '--records') ?? RECORDS
  const rounds = numberAfter(args, '--rounds') ?? ROUNDS
  const syslogPort = await freePort()
  const service = await ServiceProcess.start(undefined, { TIDEMARK_SYSLOG_PORT: String(syslogPort) })
  try {
    const { ingestKey: key } = service.createProject()
    const costs = new Map<Door, Cost[]>(DOORS.map((door) => [door, []]))
    // The first round warms up, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const door of DOORS) {
        const cost = await turn({
          service,
          key,
          syslogPort,
          door,
          records,
          seed: round * DOORS.length + DOORS.indexOf(door) + 1,
        })
        if (round > 0) costs.get(door)?.push(cost)
      }
    }
    return resultsOf(costs, records)
  } finally {
    await service.stop()
  }
}

type Turn = { service: ServiceProcess; key: string; syslogPort: number; door: Door; records: number; seed: number }

/** Other records in every turn: what is known already would not be stored. */
async function turn({ service, key, syslogPort, door, records, seed }: Turn): Promise<Cost> {
  const bodies = door.bodies(records, door.path === null ? records : RECORDS_PER_BODY, { seed, key })
  const before = await service.metric('tidemark_ingest_records_total')
  const cpuBefore = service.usage().service.cpuSeconds
  const startedAt = performance.now()
  if (door.name === 'syslog') await sendSyslog(syslogPort, bodies)
  else if (door.path === null) await sendJournal(service.url, key, bodies)
  else await sendAll({ url: service.url, key, contentType: door.type, path: door.path }, bodies, CONNECTIONS)
  // Nobody answers over syslog: there the service's own count is asked.
  const stored = async () => (await service.metric('tidemark_ingest_records_total')) - before
  while (door.name === 'syslog' && (await stored()) < records) await sleep(ASK_EVERY_MS)
  const seconds = (performance.now() - startedAt) / 1_000
  if ((await stored()) !== records) throw new Error(`${door.name}: ${await stored()} of ${records} records are stored`)
  await service.loaded(before + records)
  return { perSecond: records / seconds, cpuSeconds: service.usage().service.cpuSeconds - cpuBefore }
}

function resultsOf(costs: ReadonlyMap<Door, Cost[]>, records: number): BenchResult[] {
  const all = [...costs].map(([{ name }, turns]) => ({
    name,
    perSecond: percentile(
      turns.map((turn) => turn.perSecond),
      0.5,
    ),
    cpuMicroseconds: (turns.reduce((sum, turn) => sum + turn.cpuSeconds, 0) / (turns.length * records)) * 1e6,
  }))
  const [ndjson] = all
  return all.flatMap(({ name, perSecond, cpuMicroseconds }) => [
    figure(`${name}: acknowledged`, perSecond, 'records/s'),
    figure(`${name}: service CPU of a record`, cpuMicroseconds, 'µs'),
    figure(`${name}: records/s against NDJSON`, perSecond / ndjson!.perSecond, 'ratio'),
    figure(`${name}: CPU against NDJSON`, cpuMicroseconds / ndjson!.cpuMicroseconds, 'ratio'),
  ])
}
