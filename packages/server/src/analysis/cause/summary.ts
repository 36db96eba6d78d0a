/**
 * The findings, in a few sentences. Each is made by a rule from numbers and names, and carries what it rests on: a
 * search with its window, or a deploy. Text of the errors themselves never becomes part of it; names that strangers chose
 * (environments, services, authors) do, shortened to a line.
 */

import type { SummarySentence } from '@tidemark/wire/analyses/analysis'
import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import { causeLine } from '@tidemark/wire/analyses/cause-words'
import { anchorWords, changeWord } from '@tidemark/wire/analyses/correlated-words'
import { episodeWords } from '@tidemark/wire/analyses/episode-words'
import { UNREAD } from '@tidemark/wire/analyses/is-incomplete'
import { type DeployStatus, OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import { isSameRevision } from '@tidemark/wire/deploys/revision'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed, spanWords } from '@tidemark/wire/time/elapsed'
import { HOUR_US, SECOND_MS, SECOND_US } from '@tidemark/wire/time/units'
import type { EpisodeBegan } from '../../model/analysis.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import { awayWords, nameWords, shaWords } from '../words.ts'
import { type Correlation, startOf } from './correlation.ts'
import type { Rates } from './rates.ts'

type Values = readonly { value: string; count: number }[]

export type SummaryFacts = {
  nowUs: number
  environment: string
  /** Of its first record; empty where that named none. */
  service: string
  began: EpisodeBegan
  anchorUs: number
  firstSeenUs: number
  lastSeenUs: number
  count: number
  /** When the episode before ended; null for the first. */
  quietSinceUs: number | null
  correlation: Correlation
  /** Where what ran when it began is not the answer: the answer, or that there is none. Null also where little speaks for it. */
  otherCause: Pick<LikelyCause, 'kind' | 'title' | 'confidence' | 'at'> | null
  failedDeploys: readonly { status: DeployStatus; deployedAtUs: number }[]
  rates: Rates | null
  affected: { services: Values; hosts: Values; releases: Values } | null
  recordsQuery: string
  environmentQuery: string
  isOverflow: boolean
  /** The log store did not answer everything. */
  isIncomplete: boolean
}

export function summaryOf(facts: SummaryFacts): { text: string; sentences: SummarySentence[] } {
  const sentences = [
    cause(facts),
    beginning(facts),
    withoutDeploy(facts),
    facts.rates === null ? amount(facts) : beforeAndAfter(facts, facts.rates),
    existed(facts),
    affected(facts),
    failed(facts),
    overflow(facts),
    incomplete(facts),
  ].filter((sentence) => sentence !== null)
  return { text: sentences.map(({ text }) => text).join(' '), sentences }
}

/** First, because what follows tells of a deploy that is not to blame. */
function cause({ otherCause, anchorUs, recordsQuery, isIncomplete }: SummaryFacts): SummarySentence | null {
  if (otherCause === null || (otherCause.kind === 'unknown' && isIncomplete)) return null
  const { at, title } = otherCause
  const changedUs = at === null ? anchorUs : Math.min(anchorUs, Date.parse(at) * (SECOND_US / SECOND_MS))
  const text = `${causeLine(otherCause, title)}.`
  return { text, evidence: 'cause', query: recordsQuery, ...window(changedUs, anchorUs + HOUR_US) }
}

function beginning(facts: SummaryFacts): SummarySentence {
  const { anchorUs, environment, correlation } = facts
  const seen = seenWords(facts)
  const around = { query: facts.recordsQuery, ...window(startOf(correlation) ?? anchorUs, anchorUs + HOUR_US) }
  if (correlation.source === 'recorded') {
    const { sha, author } = correlation.deploy
    const by = author === null ? '' : ` by ${nameWords(author)}`
    const text = `${seen} ${formatElapsed(correlation.elapsedUs / SECOND_US)} after ${shaWords(sha)} was deployed to ${nameWords(environment)}${by}.`
    return { text, evidence: 'deploy', ...around }
  }
  if (correlation.source === 'inferred') {
    const { sha, branch } = correlation.commit
    const text = `${seen} ${formatElapsed(correlation.elapsedUs / SECOND_US)} after commit ${shaWords(sha)} on ${nameWords(branch)}; no deploy to ${nameWords(environment)} was recorded before it, so this is inferred.`
    return { text, evidence: 'repository', ...around }
  }
  return { text: `${seen} at ${formatRfc3339(anchorUs)}.`, evidence: 'occurrences', ...around }
}

/** Why no deploy is told. A page that shows that in a place of its own leaves this sentence out. */
function withoutDeploy({ correlation, environmentQuery, anchorUs }: SummaryFacts): SummarySentence | null {
  if (correlation.source !== null) return null
  const text = `${correlation.reason.charAt(0).toUpperCase()}${correlation.reason.slice(1)}.`
  return { text, evidence: 'deploy', query: environmentQuery, ...window(anchorUs - HOUR_US, anchorUs + 1) }
}

/** `Came back in checkout after it was resolved,`; when follows. */
function seenWords({ began, quietSinceUs, anchorUs, service, affected: found }: SummaryFacts): string {
  const isElsewhere = found?.services.some(({ value }) => value !== service)
  const where = service === '' || isElsewhere ? '' : ` in ${nameWords(service)}`
  if (began === 'first') return `First seen${where}`
  const words = episodeWords(began, quietSinceUs === null ? null : (anchorUs - quietSinceUs) / SECOND_US).replace(
    /^came back/,
    `$&${where}`,
  )
  return `${words.charAt(0).toUpperCase()}${words.slice(1)},`
}

function amount({ count, lastSeenUs, firstSeenUs, nowUs, recordsQuery }: SummaryFacts): SummarySentence {
  const text = `${counted(count, 'error')} in all, the last ${formatElapsed(Math.max(0, nowUs - lastSeenUs) / SECOND_US)} ago.`
  return { text, evidence: 'occurrences', query: recordsQuery, ...window(firstSeenUs, lastSeenUs + 1) }
}

function beforeAndAfter({ recordsQuery, correlation }: SummaryFacts, { before, after }: Rates): SummarySentence {
  const what = correlation.source === 'inferred' ? ' the commit' : ''
  // No errors among no records tell nothing.
  const amountBefore = before.records === 0 ? 'Nothing was logged' : withCommas(before.errors)
  const amountAfter = `${before.records === 0 ? counted(after.errors, 'error') : withCommas(after.errors)} in ${spanWords(after.toUs - after.fromUs)} after${what && ' it'}`
  const text = `${amountBefore} in ${spanWords(before.toUs - before.fromUs)} before${what}, ${amountAfter}.`
  return { text, evidence: 'rates', query: recordsQuery, ...window(before.fromUs, after.toUs) }
}

/** Only what the first sentence does not say: an episode that is not the first one has said so. */
function existed({ firstSeenUs, correlation, began, recordsQuery, anchorUs }: SummaryFacts): SummarySentence | null {
  const startedUs = startOf(correlation)
  if (began === 'first' || startedUs === null || firstSeenUs >= startedUs) return null
  const text = `It existed before the ${changeWord(correlation.source)}: first seen ${formatElapsed((anchorUs - firstSeenUs) / SECOND_US)} earlier.`
  return { text, evidence: 'occurrences', query: recordsQuery, ...window(firstSeenUs, startedUs) }
}

function affected({
  affected: found,
  correlation,
  recordsQuery,
  anchorUs,
  lastSeenUs,
}: SummaryFacts): SummarySentence | null {
  if (found === null || found.services.length === 0) return null
  const parts = [places(found), releases(found.releases, correlation)].filter((part) => part !== '')
  return {
    text: `${parts.join('; ')}.`,
    evidence: 'affected',
    query: recordsQuery,
    ...window(anchorUs, lastSeenUs + 1),
  }
}

function places({ services, hosts }: { services: Values; hosts: Values }): string {
  const [only] = services
  const named = services.filter(({ value }) => value !== '')
  const where =
    named.length === 0 || only === undefined
      ? 'No service is named'
      : services.length === 1
        ? `Only service ${nameWords(only.value)}`
        : `${services.length} services, most of it in ${nameWords(named[0]?.value ?? '')}`
  const machines = hosts.filter(({ value }) => value !== '').length
  return machines === 0 ? where : `${where}, on ${counted(machines, 'host')}`
}

function releases(values: Values, correlation: Correlation): string {
  const named = values.filter(({ value }) => value !== '')
  const [first] = named
  if (first === undefined) return ''
  if (values.length === 1) return `all from release ${shaWords(first.value)}`
  const sha = correlation.source === 'recorded' ? correlation.deploy.sha : null
  const matching = named.find(({ value }) => sha !== null && isSameRevision(value, sha))
  if (matching === undefined) return `from ${counted(named.length, 'release')}`
  const total = values.reduce((sum, { count }) => sum + count, 0)
  return `${withCommas(matching.count)} of ${withCommas(total)} from release ${shaWords(matching.value)}`
}

function failed({ failedDeploys, environment, environmentQuery, ...seen }: SummaryFacts): SummarySentence | null {
  const { anchorUs, firstSeenUs } = seen
  const [newest] = failedDeploys
  if (newest === undefined) return null
  const more = failedDeploys.length === 1 ? '' : `, the newest of ${failedDeploys.length}`
  const text = `A deploy to ${nameWords(environment)} ${OUTCOME_WORDS[newest.status]} ${formatElapsed((anchorUs - newest.deployedAtUs) / SECOND_US)} before ${anchorWords({ firstSeen: firstSeenUs, anchor: anchorUs })}${more}.`
  return { text, evidence: 'failedDeploys', query: environmentQuery, ...window(newest.deployedAtUs, anchorUs + 1) }
}

function overflow({ isOverflow, environmentQuery, firstSeenUs, lastSeenUs }: SummaryFacts): SummarySentence | null {
  if (!isOverflow) return null
  const text = 'These are errors of many kinds: there were too many at once to tell them apart.'
  return { text, evidence: 'occurrences', query: environmentQuery, ...window(firstSeenUs, lastSeenUs + 1) }
}

function incomplete({ isIncomplete }: SummaryFacts): SummarySentence | null {
  if (!isIncomplete) return null
  return { text: awayWords('what is read from records is missing here'), ...UNREAD }
}

function window(fromUs: number, toUs: number): { from: string; to: string } {
  return { from: formatRfc3339(Math.max(0, fromUs)), to: formatRfc3339(toUs) }
}
