/**
 * Whether the service is right about causes: weeks of a made-up shop whose incidents have known causes are loaded into a
 * real service, and what it says about each is compared with the truth, which it never sees. The demo's own incidents are
 * scored by the same rules. `--seeds 1,2,3` chooses the weeks, `--no-demo` leaves the demo out, `--verbose` prints every
 * incident, and `--keep` leaves the data folder for a closer look. `--in-memory` asks the verbs without a service and an
 * engine, which takes minutes at most; there the verdicts on all deploys are scored too, as they are at the end of the weeks
 * and as they were minutes after each deploy, and so is what changed before each incident. `--verdicts-only` leaves the causes
 * out, `--changes-only` the verdicts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeShop } from '../../packages/demo/src/shop/shop.ts'
import { type BenchResult, figure, numbersAfter } from '../result.ts'
import { ServiceProcess } from '../service-process.ts'
import { type Exam, examine } from './ask.ts'
import { askChanges, type ChangesTold, changesScores, printChanges } from './changes.ts'
import { demoAnswers } from './demo.ts'
import { type Loadable, load } from './load.ts'
import { examineInMemory, openMemoryWorld } from './memory.ts'
import { printExams, printKinds } from './print.ts'
import { scores } from './score.ts'
import {
  askVerdicts,
  askVerdictsInTime,
  askVerdictsOfService,
  type Judged,
  printVerdicts,
  verdictScores,
} from './verdicts.ts'
import { makeWhodunit } from './weeks/whodunit.ts'

const SEEDS = [1, 2, 3]

type Run = Loadable & { name: string; answers: Parameters<typeof examine>[1] }

export async function whodunit(args: string[]): Promise<BenchResult[]> {
  const isVerbose = args.includes('--verbose')
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-whodunit-'))
  const made: Exam[] = []
  const judged: Judged[] = []
  const changes: ChangesTold[] = []
  const results: BenchResult[] = []
  const add = (name: string, exams: Exam[], figures: BenchResult[]) => {
    if (isVerbose) printExams(name, exams)
    results.push(...figures, ...scores(name, exams, { withBars: false }))
    made.push(...exams)
  }
  try {
    if (args.includes('--in-memory')) {
      for (const run of runsOf(args)) {
        const world = await openMemoryWorld(run, { folder, name: run.name }, { isWhole: true })
        if (!args.includes('--verdicts-only')) {
          const exams = await examineInMemory(world, run.answers)
          add(run.name, exams, [])
          const told = await askChanges(world, exams)
          if (isVerbose) printChanges(run.name, told)
          results.push(...changesScores(run.name, told, { withBars: false }))
          changes.push(...told)
        }
        if (args.includes('--changes-only')) {
          await world.close()
          continue
        }
        const verdicts = await askVerdicts(world, run)
        await world.close()
        const early = await openMemoryWorld(run, { folder, name: `${run.name} early` }, { isWhole: false })
        verdicts.push(...(await askVerdictsInTime(early, run)))
        await early.close()
        if (isVerbose) printVerdicts(run.name, verdicts)
        results.push(...verdictScores(run.name, verdicts, { withBars: false }))
        judged.push(...verdicts)
      }
    } else {
      await askService(args, folder, add, (name, verdicts) => {
        if (isVerbose) printVerdicts(name, verdicts)
        results.push(...verdictScores(name, verdicts, { withBars: false }))
        judged.push(...verdicts)
      })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (isVerbose) printKinds(made)
  return [
    ...results,
    ...scores('all', made, { withBars: true }),
    ...changesScores('all', changes, { withBars: true }),
    ...verdictScores('all', judged, { withBars: true }),
  ]
}

async function askService(
  args: string[],
  folder: string,
  add: (name: string, exams: Exam[], figures: BenchResult[]) => void,
  addVerdicts: (name: string, verdicts: Judged[]) => void,
): Promise<void> {
  const keepData = args.includes('--keep')
  const service = await ServiceProcess.start()
  try {
    for (const run of runsOf(args)) {
      const startedAt = performance.now()
      const filled = await load(service, run, join(folder, `${run.name.replaceAll(' ', '-')}.git`))
      const loadedAt = performance.now()
      const exams = args.includes('--verdicts-only') ? [] : await examine(filled, run.answers)
      add(run.name, exams, [
        figure(`${run.name}: ${run.records.length} records loaded in`, (loadedAt - startedAt) / 1_000, 's'),
        figure(`${run.name}: ${exams.length} incidents read in`, (performance.now() - loadedAt) / 1_000, 's'),
      ])
      addVerdicts(run.name, await askVerdictsOfService(filled, run))
    }
  } finally {
    await service.stop({ keepData })
  }
  if (keepData) console.log(`  kept: ${service.dataDir}`)
}

/** One after the other: each is tens of thousands of records. */
function* runsOf(args: string[]): Generator<Run> {
  for (const seed of numbersAfter(args, '--seeds') ?? SEEDS) {
    yield { name: `seed ${seed}`, ...makeWhodunit({ seed, nowMs: Date.now() }) }
  }
  if (args.includes('--no-demo')) return
  const { world, repository, deploys, records, answers } = makeShop({ nowMs: Date.now() })
  const { seed, nowMs } = world
  const { commits } = repository
  yield { name: 'demo', seed, nowMs, commits, deploys, records, answers: demoAnswers(answers, records) }
}
