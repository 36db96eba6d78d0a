/**
 * Whether verdicts on deploys are right: at the end of the weeks, and as they were minutes after each deploy, when nothing
 * of what came later was known. Guilty is what the truth names as the deploy to blame, everything else is innocent.
 */
import { isDeepStrictEqual } from 'node:util'
import type { DeployVerdict } from '../../packages/wire/src/deploys/verdict.ts'
import type { DeployDetailAnswer, DeploysAnswer } from '../../packages/wire/src/reading/deploys.ts'
import { askApi, type Filled } from '../query/ask.ts'
import { type BenchResult, figure, share } from '../result.ts'
import type { Truth } from './ask.ts'
import type { Loadable } from './load.ts'
import type { MemoryWorld } from './memory.ts'

type Played = Loadable & { answers: readonly Truth[] }

/** `minutes` after the deploy; null at the end of the weeks. */
export type Judged = {
  run: string
  deploy: { sha: string; environment: string; deployedAt: string }
  minutes: number | null
  incidents: string[]
  told: DeployVerdict
  isSameInDetail: boolean | null
  /** Of the whole list that it was read with, once for each list. */
  list: { deploys: number; statements: number; ms: number } | null
}

const PAGE = 50
/** One in this many deploys is also asked about by itself, which takes as long as a whole page. */
const DETAIL_EVERY = 4
const MINUTES = [1, 15, 60]

/** The list, page by page, and each deploy by itself. */
export async function askVerdicts(world: MemoryWorld, { answers }: Played): Promise<Judged[]> {
  const { reading, caller, asked } = world
  const judged: Judged[] = []
  let cursor: string | undefined
  do {
    asked.length = 0
    const startedAt = performance.now()
    const page = await reading.listDeploys(caller, { limit: PAGE, cursor })
    const list = { deploys: page.deploys.length, statements: asked.length, ms: performance.now() - startedAt }
    for (const [at, deploy] of page.deploys.entries()) {
      if (deploy.status !== 'succeeded') continue
      const detail = at % DETAIL_EVERY === 0 ? await reading.getDeploy(caller, { id: deploy.id }) : null
      judged.push({
        run: world.project.name,
        deploy,
        minutes: null,
        incidents: incidentsOf(answers, deploy),
        told: deploy,
        isSameInDetail: detail && isSame(deploy, detail) && detail.introduced.length === deploy.introduced,
        list: at === 0 ? list : null,
      })
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return judged
}

/** The same of a real service, whose statements are not counted. */
export async function askVerdictsOfService(
  service: Filled,
  { name, answers }: Played & { name: string },
): Promise<Judged[]> {
  const judged: Judged[] = []
  let cursor: string | null = null
  do {
    const startedAt = performance.now()
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = (await askApi(service, `/api/deploys?limit=${PAGE}${next}`)) as DeploysAnswer
    const list = { deploys: page.deploys.length, statements: 0, ms: performance.now() - startedAt }
    for (const [at, deploy] of page.deploys.entries()) {
      if (deploy.status !== 'succeeded') continue
      const detail =
        at % DETAIL_EVERY === 0 ? ((await askApi(service, `/api/deploys/${deploy.id}`)) as DeployDetailAnswer) : null
      judged.push({
        run: name,
        deploy,
        minutes: null,
        incidents: incidentsOf(answers, deploy),
        told: deploy,
        isSameInDetail: detail && isSame(deploy, detail),
        list: at === 0 ? list : null,
      })
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return judged
}

/** At each moment nothing is there that came later: neither records, nor errors, nor deploys. */
export async function askVerdictsInTime(world: MemoryWorld, { deploys, answers, nowMs }: Played): Promise<Judged[]> {
  const moments = deploys
    .filter(({ body }) => body.status === 'succeeded')
    .flatMap(({ atMs, body }) => MINUTES.map((minutes) => ({ body, minutes, timeMs: atMs + minutes * 60_000 })))
    .filter(({ timeMs }) => timeMs < nowMs)
    .sort((a, b) => a.timeMs - b.timeMs)
  const judged: Judged[] = []
  for (const { body, minutes, timeMs } of moments) {
    await world.goTo(timeMs)
    const { sha, environment } = body
    const found = await world.control.deploys.list(world.project.id, { sha, environment, limit: 10 })
    const deploy = found.find(({ externalId }) => externalId === body.externalId)!
    const signal = new AbortController().signal
    for await (const told of world.reading.deployVerdict(world.caller, { id: deploy.id }, signal)) {
      const incidents = incidentsOf(answers, body)
      judged.push({ run: world.project.name, deploy: body, minutes, incidents, told, isSameInDetail: null, list: null })
      break
    }
  }
  return judged
}

function incidentsOf(answers: readonly Truth[], deploy: Judged['deploy']): string[] {
  return answers
    .filter(({ cause }) => {
      const guilty = cause.deploy
      return (
        guilty !== null &&
        guilty.sha === deploy.sha &&
        guilty.environment === deploy.environment &&
        Date.parse(guilty.deployedAt) === Date.parse(deploy.deployedAt)
      )
    })
    .map(({ incident }) => incident)
}

export function verdictScores(
  name: string,
  judged: readonly Judged[],
  { withBars }: { withBars: boolean },
): BenchResult[] {
  const results: BenchResult[] = []
  const add = (label: string, of: readonly Judged[], isRight: (one: Judged) => boolean, bar: number | null) => {
    if (of.length === 0) return
    results.push(share(`${name}: ${label}`, of.filter(isRight).length, of.length, withBars ? bar : null))
  }
  for (const minutes of [null, ...MINUTES]) {
    const asked = judged.filter((one) => one.minutes === minutes)
    const [guilty, innocent] = [asked.filter(isGuilty), asked.filter((one) => !isGuilty(one))]
    const when = minutes === null ? '' : ` after ${minutes} min`
    const is = (verdict: DeployVerdict['verdict']) => (one: Judged) => one.told.verdict === verdict
    add(`guilty deploys bad or suspect${when}`, guilty, isAccused, minutes === null ? 90 : null)
    add(`guilty deploys bad${when}`, guilty, is('bad'), null)
    add(`guilty deploys good${when}`, guilty, is('good'), null)
    const least = minutes === null ? 95 : minutes === 1 ? 100 : null
    add(`innocent deploys not accused${when}`, innocent, (one) => !isAccused(one), least)
    add(`innocent deploys bad${when}`, innocent, is('bad'), null)
    add(`innocent deploys good${when}`, innocent, is('good'), null)
    add(`too early${when}`, asked, is('too_early'), null)
  }
  add(
    'list and detail judge the same',
    judged.filter((one) => one.isSameInDetail !== null),
    (one) => one.isSameInDetail === true,
    100,
  )
  const lists = judged.flatMap(({ list }) => (list !== null && list.deploys === PAGE ? [list] : []))
  if (lists.length > 0) {
    const most = (of: (list: (typeof lists)[number]) => number) => Math.max(...lists.map(of))
    results.push(
      figure(
        `${name}: questions to the log store for ${PAGE} deploys`,
        most(({ statements }) => statements),
        'at most',
      ),
    )
    results.push(
      figure(
        `${name}: time for ${PAGE} deploys`,
        most(({ ms }) => ms),
        'ms at most',
      ),
    )
  }
  return results
}

/** A line for each deploy that is judged wrongly. */
export function printVerdicts(name: string, judged: readonly Judged[]): void {
  console.log(`\n  ${name}: verdicts that are wrong`)
  for (const one of judged) {
    const isWrong = isGuilty(one) ? one.minutes === null && !isAccused(one) : isAccused(one)
    if (!isWrong) continue
    const { deploy, incidents, told, minutes } = one
    const when = minutes === null ? 'at the end' : `after ${minutes} min`
    const truth = incidents.length === 0 ? 'innocent' : `guilty of ${incidents.join(', ')}`
    console.log(
      `  ${deploy.deployedAt} ${deploy.sha.slice(0, 7)} ${deploy.environment} ${truth}, ${when}: ${told.verdict} | ${told.reasons.join(' | ')}`,
    )
  }
}

/** Between two answers of a real service the clock goes on. */
function isSame(one: DeployVerdict, other: DeployVerdict): boolean {
  return one.verdict === other.verdict && isDeepStrictEqual(one.reasons, other.reasons)
}

function isGuilty({ incidents }: Judged): boolean {
  return incidents.length > 0
}

function isAccused({ told }: Judged): boolean {
  return told.verdict === 'bad' || told.verdict === 'suspect'
}
