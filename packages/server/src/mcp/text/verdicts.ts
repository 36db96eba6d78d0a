/** Verdicts on deploys and the analyses in their time, as the tools show them. */

import { causeHeadline } from '@tidemark/wire/analyses/cause-words'
import { BEGAN_WORDS } from '@tidemark/wire/deploys/beside-deploy'
import type { DeployAnalysis, DeployPattern, DeployVerdict } from '@tidemark/wire/deploys/verdict'
import { counted } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { deployLine } from './render.ts'
import { leftOut } from './sentences.ts'
import { shortenText } from './shorten.ts'

/** Where a verdict and an analysis hold a sender's text. */
export const UNTRUSTED_OF_ANALYSIS = ['title', 'environment', 'service', 'likelyCause.title'] as const

/** The reasons are sorted: the first says most. */
export function showReasons(reasons: readonly string[], { most, characters }: { most: number; characters: number }) {
  return reasons.slice(0, most).map((reason) => shortenText(reason, characters))
}

type Judged = Pick<DeployVerdict, 'reasons'>

/** In a list, where each has only its first ones. */
export function reasonsNote(whole: readonly Judged[], shown: readonly Judged[]): string[] {
  const left = shown.reduce((sum, { reasons }, at) => sum + (whole[at]?.reasons.length ?? 0) - reasons.length, 0)
  return leftOut(left, { one: 'reason for a verdict', many: 'reasons for verdicts', hint: 'see get_deploy' })
}

export function showAnalysis(one: DeployAnalysis, characters: number): DeployAnalysis {
  const { title, environment, service, likelyCause } = one
  return {
    ...one,
    title: shortenText(title, characters),
    environment: shortenText(environment, characters),
    service: shortenText(service, characters),
    likelyCause: likelyCause && { ...likelyCause, title: shortenText(likelyCause.title, characters) },
  }
}

/** In a list: the deploy, and below it its verdict with what says most. */
export function judgedLines(
  deploy: Parameters<typeof deployLine>[0] & Pick<DeployVerdict, 'verdict' | 'reasons'>,
): string[] {
  const { verdict, reasons } = deploy
  return [deployLine(deploy), `  ${verdict ?? 'no verdict'}: ${onOneLine(reasons[0] ?? '')}`]
}

export function verdictFact({ verdict, checkAgainAt }: Pick<DeployVerdict, 'verdict' | 'checkAgainAt'>): string {
  if (verdict === null) return 'Verdict: none, it never went live'
  return `Verdict: ${verdict}${checkAgainAt === null ? '' : `, check again at ${checkAgainAt}`}`
}

export function windowFacts(windows: DeployVerdict['windows']): string[] {
  return windows.map(({ minutes, before, after }) => {
    const [earlier, later] = [before, after].map(
      ({ errors, records }) => `${counted(errors, 'error')} in ${counted(records, 'record')}`,
    )
    return `${formatElapsed(minutes * 60)}: ${later} after it (until ${after.to}), ${earlier} before`
  })
}

/** `37 records in checkout: order <*> was refused` */
export function deployPatternLine({ pattern, count, services }: DeployPattern): string {
  const where = services.length === 0 ? '' : ` in ${services.map(onOneLine).join(', ')}`
  return `${counted(count, 'record')}${where}: ${onOneLine(pattern)}`
}

/** `TypeError: x in checkout, came back 2026-01-31T11:58:00Z, 37 errors, because of it (deploy, high confidence) ana_…` */
export function analysisLine({
  id,
  title,
  service,
  began,
  onset,
  count,
  end,
  likelyCause,
  countsAgainst,
}: DeployAnalysis): string {
  const where = service === '' ? '' : ` in ${onOneLine(service)}`
  const cause = countsAgainst ? 'because of it' : onOneLine(likelyCause?.title ?? '')
  const why = likelyCause === null ? '' : `, ${causeHeadline(likelyCause, cause)}`
  return `${onOneLine(title)}${where}, ${BEGAN_WORDS[began]} ${onset}, ${counted(count, 'error')}${end === null ? '' : ` until ${end}`}${why} ${id}`
}
