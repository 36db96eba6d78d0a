/** What speaks against a deploy: analyses that it caused, errors that grew with it, records that stopped with it. */

import { confidence } from '@tidemark/wire/analyses/cause'
import { BEGAN_WORDS, besideDeploy } from '@tidemark/wire/deploys/beside-deploy'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed, spanWords } from '@tidemark/wire/time/elapsed'
import { HOUR_US, MINUTE_US, SECOND_US } from '@tidemark/wire/time/units'
import { CLEAR, chanceOfRise, type Rate, VERY_CLEAR } from '../chance/poisson.ts'
import { isSuddenlySilent, LEAST_SUDDEN_US, type Volume } from '../silence/sudden-silence.ts'
import { nameWords, shaWords, titleWords } from '../words.ts'
import type { AgainstFacts, RecordFacts, VerdictFacts } from './verdict-facts.ts'

/** How much it says: a hint does not decide alone. */
export type Weight = 'bad' | 'suspect' | 'hint'
export type Signal = { weight: Weight; text: string }

/** Fewer errors than this are not a rise, however few there were before. */
export const LEAST_ERRORS = 5
export const LEAST_RISE = 3
/** From here on the rise alone is reason enough. */
const GREAT_RISE = 10
const GREAT_ERRORS = 20

const MAX_SILENT_NAMED = 3

/** A rollback this soon is because of the deploy. */
const SOON_BACK_US = 6 * HOUR_US

/**
 * That an error is new says little where the records of the environment are new too: every error has a first time. There
 * it speaks against a deploy only this soon after it.
 */
const NEW_WITH_DEPLOY_US = 15 * MINUTE_US

export function analysisSignals({ against, deployedAtUs, records }: VerdictFacts): Signal[] {
  const isYoung = typeof records !== 'string' && records.dayBefore.records === 0
  return against.map((one) => {
    const isDoubtful = isYoung && one.began === 'first' && one.onsetUs - deployedAtUs > NEW_WITH_DEPLOY_US
    return { weight: weightOf(one, isDoubtful), text: againstWords(one, deployedAtUs) }
  })
}

/** A line of the stack that one of its commits changed makes up for doubt. */
function weightOf(one: AgainstFacts, isDoubtful: boolean): Weight {
  if (one.isAtLine) return one.confidence === 'high' ? 'bad' : 'suspect'
  const weights: readonly Weight[] = ['bad', 'suspect', 'hint']
  return weights[doubtOf(one) + (isDoubtful ? 1 : 0)] ?? 'hint'
}

/** How far from sure it is that the deploy is the cause: 0 for the highest confidence. */
export function doubtOf(one: Pick<AgainstFacts, 'confidence'>): number {
  return confidence.options.indexOf(one.confidence)
}

function againstWords({ title, service, began, count, confidence, onsetUs, evidence }: AgainstFacts, fromUs: number) {
  const where = service === '' ? '' : ` in ${nameWords(service)}`
  const when = besideDeploy((onsetUs - fromUs) / SECOND_US)
  const errors = counted(count, 'error')
  return `${titleWords(title)}${where} ${BEGAN_WORDS[began]} ${when}, ${errors} (${confidence} confidence).${evidence === null ? '' : ` ${evidence}`}`
}

/** Errors per record, without those that have another cause. Null where they did not clearly rise. */
export function riseSignal({ windows, dayBefore, explained }: RecordFacts): Signal | null {
  const widest = windows.at(-1)
  if (widest === undefined) return null
  const { before, after } = widest
  const errors = Math.max(0, after.errors - explained)
  const since = { events: errors, of: after.records - (after.errors - errors) }
  // What comes at this hour every day did not come with the deploy.
  const bases: Rate[] = [rateOf(before), ...(dayBefore.errors === 0 ? [] : [rateOf(dayBefore)])]
  const chance = Math.max(...bases.map((base) => chanceOfRise(base, since)))
  const [hourRise, dayRise = Number.POSITIVE_INFINITY] = bases.map((base) => timesOf(base, since)) as [number, number?]
  const rise = Math.min(hourRise, dayRise)
  if (errors < LEAST_ERRORS || rise < LEAST_RISE || chance > CLEAR || before.records === 0) return null
  const isGreat = rise >= GREAT_RISE && errors >= GREAT_ERRORS && chance <= VERY_CLEAR
  const span = spanWords(after.toUs - after.fromUs)
  const other = explained > 0 ? `, not counting ${counted(explained, 'error')} with other causes` : ''
  const asThen =
    dayRise < hourRise
      ? ` of that hour the day before (${withCommas(dayBefore.errors)} of ${withCommas(dayBefore.records)})`
      : ''
  const times = Number.isFinite(rise) ? `, ${amountWords(rise)} times the share${asThen}` : ''
  return {
    weight: isGreat ? 'bad' : 'suspect',
    text: `Errors rose: ${withCommas(errors)} of ${counted(since.of, 'record')} in ${span} after it, ${withCommas(before.errors)} of ${withCommas(before.records)} in the hour before${times}${other}.`,
  }
}

function rateOf({ errors, records }: { errors: number; records: number }): Rate {
  return { events: errors, of: records }
}

function timesOf(base: Rate, since: Rate): number {
  return since.of === 0 ? 0 : (since.events * base.of) / (base.events * since.of)
}

/** Records that stop coming, in all of the environment or from some of its services. */
export function silenceSignal(facts: VerdictFacts, { windows, all, services }: RecordFacts): Signal | null {
  const after = windows.at(-1)?.after
  if (after === undefined || after.toUs - after.fromUs < LEAST_SUDDEN_US) return null
  const lengthUs = after.toUs - after.fromUs
  const span = spanWords(lengthUs)
  const hasDay = all.dayBefore > 0
  const told = ({ after: count, ...volume }: Volume) =>
    `${counted(count, 'record')} in ${span} after it, ${withCommas(volume.quarters.reduce((sum, one) => sum + one, 0))} in the hour before that were no errors`
  if (isSuddenlySilent(all, lengthUs, hasDay)) {
    return {
      weight: 'suspect',
      text: `Almost nothing is logged in ${nameWords(facts.environment)} since: ${told(all)}.`,
    }
  }
  const silent = services.filter((one) => one.service !== '' && isSuddenlySilent(one, lengthUs, hasDay))
  if (silent.length === 0) return null
  const named = silent.slice(0, MAX_SILENT_NAMED).map((one) => `${nameWords(one.service)} (${told(one)})`)
  const more = silent.length > named.length ? ` and ${silent.length - named.length} more` : ''
  return { weight: 'suspect', text: `Almost nothing is logged since by ${named.join(', ')}${more}.` }
}

/** Says nothing alone: a good deploy may be taken back together with a bad one. */
export function rollbackText({ replacedBy, deployedAtUs }: VerdictFacts): string | null {
  if (replacedBy === null || !replacedBy.isRollback) return null
  const afterUs = replacedBy.atUs - deployedAtUs
  if (afterUs > SOON_BACK_US) return null
  return `It was rolled back to ${shaWords(replacedBy.sha)} after ${formatElapsed(afterUs / SECOND_US)}.`
}
