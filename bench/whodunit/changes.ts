/**
 * Whether the list of what changed is of use: of each incident, whether the true change is among the first three, asked for
 * with its analysis and, apart from that, with nothing but the moment of its first error.
 *
 * What counts as the true change:
 * - a deploy is to blame: that very deploy, by its id;
 * - a setting: the change of a setting of that service, told within the day before (a revoked password is told by no record);
 * - something that nobody changed (an outage, a certificate, a full disk, data, load): with the analysis, an entry of a kind
 *   that the truth allows. With the moment alone there is no such entry, so right is a list that does not put a deploy
 *   first with a score that stands out, which would send somebody the wrong way.
 */
import { CHARACTERS_PER_TOKEN } from '../../packages/server/src/mcp/text/shorten.ts'
import { type ChangesAnswer, type ChangeView, LIKELY_SCORE } from '../../packages/wire/src/reading/changes.ts'
import { type BenchResult, figure, percentile, share } from '../result.ts'
import type { Exam, Truth } from './ask.ts'
import type { MemoryWorld } from './memory.ts'

const FIRST = 3

type Asked = { answer: ChangesAnswer; place: number | null; isRight: boolean; statements: number; ms: number }
export type ChangesTold = { truth: Truth; byAnalysis: Asked | null; byMoment: Asked }

export async function askChanges(world: MemoryWorld, exams: readonly Exam[]): Promise<ChangesTold[]> {
  const told: ChangesTold[] = []
  for (const { truth, item, detail } of exams) {
    const { environment, firstErrorAt } = truth
    const at = detail?.course?.onset ?? firstErrorAt
    told.push({
      truth,
      byAnalysis: item?.id === undefined ? null : await ask(world, truth, { analysisId: item.id }),
      byMoment: await ask(world, truth, { at, environment }),
    })
  }
  return told
}

async function ask(
  world: MemoryWorld,
  truth: Truth,
  input: { analysisId?: string; at?: string; environment?: string },
) {
  world.asked.length = 0
  const startedAt = performance.now()
  const answer = await world.reading.whatChanged(world.caller, input)
  const [ms, statements] = [performance.now() - startedAt, world.asked.length]
  const at = answer.changes.findIndex((change) => isTrue(change, truth))
  const place = at < 0 ? null : at + 1
  const [first] = answer.changes
  const isMisled = first?.kind === 'deploy' && first.score >= LIKELY_SCORE
  const nothingToSee = input.analysisId === undefined && !isVisible(truth)
  return { answer, place, isRight: nothingToSee ? !isMisled : place !== null && place <= FIRST, statements, ms }
}

function isVisible({ cause, causeKinds }: Truth): boolean {
  return cause.deploy !== null || causeKinds[0] === 'configuration'
}

function isTrue(change: ChangeView, { cause, causeKinds, service }: Truth): boolean {
  const { deploy } = cause
  if (deploy !== null) {
    return (
      change.deployId !== null &&
      change.sha === deploy.sha &&
      change.environment === deploy.environment &&
      Date.parse(change.timestamp) === Date.parse(deploy.deployedAt)
    )
  }
  if (change.kind === 'configuration') return causeKinds.includes('configuration') && change.title.includes(service)
  return change.role !== null && causeKinds.some((kind) => kind === change.kind)
}

export function changesScores(
  name: string,
  told: readonly ChangesTold[],
  { withBars }: { withBars: boolean },
): BenchResult[] {
  if (told.length === 0) return []
  const right = (label: string, asked: readonly (Asked | null)[], bar: number | null) =>
    share(`${name}: ${label}`, asked.filter((one) => one?.isRight).length, asked.length, withBars ? bar : null)
  const first = (label: string, asked: readonly (Asked | null)[]) =>
    share(`${name}: ${label}`, asked.filter((one) => one?.place === 1).length, asked.length, null)
  const ofAnalyses = told.map(({ byAnalysis }) => byAnalysis)
  const visible = told.filter(({ truth }) => isVisible(truth)).map(({ byMoment }) => byMoment)
  const hidden = told.filter(({ truth }) => !isVisible(truth)).map(({ byMoment }) => byMoment)
  const all = [...ofAnalyses.filter((one) => one !== null), ...told.map(({ byMoment }) => byMoment)]
  const most = (asked: readonly (Asked | null)[], of: (one: Asked) => number) =>
    Math.max(0, ...asked.filter((one) => one !== null).map(of))
  const sizes = all.map(({ answer }) => JSON.stringify(answer).length / CHARACTERS_PER_TOKEN)
  return [
    right(`true change among the first ${FIRST}, by analysis`, ofAnalyses, 90),
    first('true change first, by analysis', ofAnalyses),
    right(`true change among the first ${FIRST}, by moment`, visible, 90),
    first('true change first, by moment', visible),
    right('no deploy blamed where none is to blame, by moment', hidden, 90),
    figure(
      `${name}: questions to the log store, by analysis`,
      most(ofAnalyses, ({ statements }) => statements),
      'at most',
    ),
    figure(
      `${name}: questions to the log store, by moment`,
      most([...visible, ...hidden], ({ statements }) => statements),
      'at most',
    ),
    figure(
      `${name}: changes in an answer`,
      Math.round(mean(all.map(({ answer }) => answer.changes.length))),
      'on average',
    ),
    figure(`${name}: size of an answer`, Math.round(percentile(sizes, 0.5)), 'tokens, median'),
  ]
}

/** A line for each incident: where the true change stands, and what stands first. */
export function printChanges(name: string, told: readonly ChangesTold[]): void {
  console.log(`\n  ${name}: what changed`)
  for (const { truth, byAnalysis, byMoment } of told) {
    const line = (asked: Asked | null) => {
      const top = (asked?.answer.changes ?? []).slice(0, 5).map(({ kind, score, title, elapsedSeconds }) => {
        return `${kind} ${score} ${Math.round(elapsedSeconds / 60)}min ${title.slice(0, 50)}`
      })
      return `${asked?.isRight ? 'ok   ' : 'WRONG'} at ${asked?.place ?? '-'} of ${asked?.answer.changes.length}: ${top.join(' | ')}`
    }
    console.log(
      `  ${truth.incident} ${truth.service} ${truth.causeKinds.join('|')} ${truth.cause.deploy?.sha.slice(0, 7) ?? ''}`,
    )
    console.log(`    analysis ${line(byAnalysis)}`)
    console.log(`    moment   ${line(byMoment)}`)
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)
}
