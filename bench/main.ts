/** Runs benchmarks by name, prints a table, and writes bench/results.json. Figures are ratios within one run where they can be. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent } from './agent.ts'
import { analysis } from './analysis.ts'
import { dashboard } from './dashboard.ts'
import { doors } from './doors/doors.ts'
import { encode } from './encode.ts'
import { ingest } from './ingest.ts'
import { machine } from './machine.ts'
import { nodes } from './nodes.ts'
import { patterns } from './patterns.ts'
import { peer } from './peer/peer.ts'
import { query } from './query/query.ts'
import type { BenchResult } from './result.ts'
import { sdk } from './sdk.ts'
import { start } from './start.ts'
import { suspects } from './suspects.ts'
import { sustained } from './sustained.ts'
import { tools } from './tools.ts'
import { whodunit } from './whodunit/whodunit.ts'

const BENCHMARKS: Record<string, (args: string[]) => Promise<BenchResult[]>> = {
  patterns,
  encode,
  ingest,
  doors,
  nodes,
  sustained,
  peer,
  start,
  query,
  tools,
  sdk,
  analysis,
  dashboard,
  suspects,
  whodunit,
  agent,
}

/** One runs for half an hour, one needs a program that is not ours. */
const BY_NAME_ONLY = new Set(['sustained', 'peer'])

export async function main(argv: string[]): Promise<void> {
  if (argv.includes('--help')) {
    console.log(`npm run bench -- [NAME...]\n\nWithout a name: all but sustained, which takes half an hour, and peer, which needs another store's program. There are: ${Object.keys(BENCHMARKS).join(', ')}.
The first lines of bench/NAME.ts, or of the file of that name in bench/NAME, say what each measures and which options it takes.`)
    return
  }
  const names = argv.filter((arg, at) => !arg.startsWith('--') && !argv[at - 1]?.startsWith('--'))
  const unknown = names.filter((name) => !(name in BENCHMARKS))
  if (unknown.length > 0) {
    console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`)
    process.exitCode = 1
    return
  }
  const results = machine()
  console.log('\nmachine')
  for (const result of results) console.log(`  ${line(result)}`)
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 ? !names.includes(name) : BY_NAME_ONLY.has(name)) continue
    console.log(`\n${name}`)
    const measured = await run(argv)
    for (const result of measured) console.log(`  ${line(result)}`)
    results.push(...measured)
  }
  writeFileSync(join(process.cwd(), 'bench/results.json'), `${JSON.stringify(results, null, 2)}\n`)
}

function line({ name, value, unit, bar, holds }: BenchResult): string {
  const verdict = bar === null ? '' : `  bar ${bar}${holds ? '' : '  MISSED'}`
  return `${name.padEnd(64)} ${String(Math.round(value * 1000) / 1000).padStart(12)} ${unit.padEnd(12)}${verdict}`
}
