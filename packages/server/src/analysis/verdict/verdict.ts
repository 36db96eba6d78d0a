/**
 * Whether a deploy did harm. What speaks against it is said at once; that nothing does is said only when enough was seen
 * for something to show. New and vanished patterns are shown beside it and never decide.
 */

import type { Verdict } from '@tidemark/wire/deploys/deploy-status'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed, spanWords } from '@tidemark/wire/time/elapsed'
import { MINUTE_US, SECOND_US } from '@tidemark/wire/time/units'
import { awayWords, exactNameWords, nameWords, shaWords } from '../words.ts'
import { enoughAtUs, hasSeenEnough, SOONEST_US } from './enough-seen.ts'
import { analysisSignals, riseSignal, rollbackText, type Signal, silenceSignal, type Weight } from './signals.ts'
import { type RecordFacts, ranUs, type VerdictFacts } from './verdict-facts.ts'

type VerdictFound = { verdict: Verdict; reasons: string[]; checkAgainAtUs: number | null }

/** How many analyses are named one by one. */
const MAX_TOLD = 5
/** The log store is away for moments, not for hours. */
const ASK_AGAIN_US = MINUTE_US

export function verdictOf(facts: VerdictFacts): VerdictFound {
  if (facts.nowUs < facts.deployedAtUs) return notLiveYet(facts)
  const { records } = facts
  const read = typeof records === 'string' ? null : records
  const analyses = analysisSignals(facts)
  const inRecords = read === null ? [] : present([riseSignal(read), silenceSignal(facts, read)])
  const signals = [...analyses, ...inRecords]
  const rollback = rollbackText(facts)
  const verdict = weigh(signals, rollback !== null)
  if (verdict === null) return unharmed(facts, told(analyses), rollback)
  const reasons = [
    ...told(signals),
    ...present([rollback, otherWords(facts), read === null ? recordsWords(facts) : null]),
  ]
  return { verdict, reasons, checkAgainAtUs: null }
}

/** Null when nothing speaks against it. Several things that only make suspect make bad together. */
function weigh(signals: readonly Signal[], isRolledBack: boolean): 'bad' | 'suspect' | null {
  const has = (weight: Weight) => signals.filter((one) => one.weight === weight).length
  const [suspect, hints] = [has('suspect'), has('hint')]
  if (has('bad') > 0 || suspect > 1 || (suspect > 0 && isRolledBack)) return 'bad'
  return suspect > 0 || hints > 1 || (hints > 0 && isRolledBack) ? 'suspect' : null
}

/** The heaviest first; of very many, how many more there are. */
function told(signals: readonly Signal[]): string[] {
  const order: Record<Weight, number> = { bad: 0, suspect: 1, hint: 2 }
  const sorted = signals.toSorted((one, other) => order[one.weight] - order[other.weight]).map(({ text }) => text)
  const more = sorted.length - MAX_TOLD
  return more > 0 ? [...sorted.slice(0, MAX_TOLD), `Plus ${counted(more, 'more sign')} against it.`] : sorted
}

function unharmed(facts: VerdictFacts, hints: string[], rollback: string | null): VerdictFound {
  const { records, deployedAtUs, nowUs } = facts
  const rest = [...hints, ...present([rollback, otherWords(facts), goneWords(facts)])]
  if (records === 'away') {
    return { verdict: 'too_early', reasons: [recordsWords(facts), ...rest], checkAgainAtUs: nowUs + ASK_AGAIN_US }
  }
  if (records === 'expired' || hasSeenEnough(facts, records.since)) {
    const none = hints.length > 0 ? [] : ['No errors are attributed to it.']
    return { verdict: 'good', reasons: [...none, recordsWords(facts), ...rest], checkAgainAtUs: null }
  }
  const before = records.windows.at(-1)?.before.records ?? 0
  const checkAgainAtUs = enoughAtUs(facts, records.since, before)
  const ran = formatElapsed((nowUs - deployedAtUs) / SECOND_US)
  return {
    verdict: 'too_early',
    reasons: [tooLittle(facts, records, ran), recordsWords(facts), ...rest],
    checkAgainAtUs,
  }
}

function notLiveYet({ deployedAtUs, nowUs }: VerdictFacts): VerdictFound {
  const reason = `It is dated ${formatElapsed((deployedAtUs - nowUs) / SECOND_US)} ahead, so nothing was seen of it yet.`
  return { verdict: 'too_early', reasons: [reason], checkAgainAtUs: deployedAtUs + SOONEST_US }
}

function tooLittle(facts: VerdictFacts, { since }: RecordFacts, ago: string): string {
  const { replacedBy, environment, unknownEnvironment } = facts
  const place = nameWords(environment)
  if (unknownEnvironment !== null) return unknownWords(place, unknownEnvironment)
  if (replacedBy !== null) {
    const ran = formatElapsed(ranUs(facts) / SECOND_US)
    return `It ran for ${ran} and ${counted(since, 'record')} before ${shaWords(replacedBy.sha)} replaced it: too little to tell.`
  }
  if (since === 0)
    return `Nothing was logged in ${place} since it went live ${ago} ago, so there is nothing to judge it by.`
  return `It went live ${ago} ago, with ${counted(since, 'record')} in ${place} since: too little to tell.`
}

/** What is misspelled stays unjudged however long one waits. */
function unknownWords(place: string, { nearest }: NonNullable<VerdictFacts['unknownEnvironment']>): string {
  const like =
    nearest === null ? '' : ` Logs come in as ${exactNameWords(nearest)}: the names of environments must be the same.`
  return `No logs in environment ${place}, so there is nothing to judge it by.${like}`
}

function recordsWords({ records }: VerdictFacts): string {
  if (records === 'away') return awayWords('records and errors around it were not counted')
  if (records === 'expired') return 'The records of that time are no longer kept, so they are not compared.'
  const widest = records.windows.at(-1)
  if (widest === undefined) return 'No records were counted.'
  const { before, after } = widest
  const span = spanWords(after.toUs - after.fromUs)
  if (before.records === 0 && after.records === 0)
    return `Nothing was logged in ${span} after it or in the hour before.`
  const since =
    after.records === 0
      ? `Nothing was logged in ${span} after it; `
      : `${withCommas(after.errors)} of ${counted(after.records, 'record')} were errors in ${span} after it, `
  if (before.records === 0) return `${since}nothing was logged in the hour before.`
  return `${since}${withCommas(before.errors)} of ${withCommas(before.records)} in the hour before${after.records === 0 ? ' were errors' : ''}.`
}

function otherWords({ others }: VerdictFacts): string | null {
  if (others === 0) return null
  return `${counted(others, 'analysis', 'analyses')} began while it ran and ${others === 1 ? 'does' : 'do'} not count against it.`
}

function goneWords({ gone }: VerdictFacts): string | null {
  return gone === 0 ? null : `${counted(gone, 'analysis', 'analyses')} ended with it.`
}

function present<Item>(items: readonly (Item | null)[]): Item[] {
  return items.filter((item) => item !== null)
}
