/**
 * How far the correlated deploy explains an error, in sentences with the numbers behind them. It never changes which
 * deploy is correlated. Facts that were not looked up are left out: a list knows only the cheap ones.
 */

import { countedPlainly } from '@tidemark/wire/counted'
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import type { EpisodeBegan } from '../../model/analysis.ts'
import { durationWords, isHash, isSameRevision, nameWords, shaWords, spanWords } from './evidence-words.ts'
import { perHour, type Rates } from './rates.ts'

export type ConfidenceFacts = {
  source: 'recorded' | 'inferred'
  sha: string
  ref: string | null
  /** When the deploy was, or the commit. */
  startedUs: number
  anchorUs: number
  firstSeenUs: number
  began: EpisodeBegan
  environment: string
  environmentDefaulted: boolean
  /** Failed and cancelled ones within the hour before the anchor, newest first. */
  failedDeploys: readonly { status: string; deployedAtUs: number }[]
  rates?: Rates | null
  releases?: readonly { value: string; count: number }[] | null
  /** Where the same errors occur although this revision never ran there. */
  elsewhere?: readonly { environment: string; count: number }[] | null
}

export type Confidence = {
  confidence: 'high' | 'medium' | 'low'
  evidenceFor: string[]
  evidenceAgainst: string[]
}

type Finding = { weight: number; text: string } | null

export function confidenceOf(facts: ConfidenceFacts): Confidence {
  const findings = [
    elapsedFinding(facts),
    noveltyFinding(facts),
    rateFinding(facts),
    releaseFinding(facts),
    elsewhereFinding(facts),
    defaultedFinding(facts),
    failedFinding(facts),
  ].filter((finding) => finding !== null)
  const score = findings.reduce((sum, { weight }) => sum + weight, 0)
  const known = score >= 3 ? 'high' : score >= 1 ? 'medium' : 'low'
  return {
    // When the commit reached the environment is not known, so nothing makes that certain.
    confidence: facts.source === 'inferred' && known === 'high' ? 'medium' : known,
    evidenceFor: findings.filter(({ weight }) => weight > 0).map(({ text }) => text),
    evidenceAgainst: findings.filter(({ weight }) => weight < 0).map(({ text }) => text),
  }
}

function elapsedFinding({ source, anchorUs, startedUs }: ConfidenceFacts): Finding {
  const elapsedUs = anchorUs - startedUs
  const what = source === 'recorded' ? 'deploy' : 'commit'
  const text = `The first error came ${durationWords(elapsedUs)} after the ${what}.`
  if (elapsedUs <= 10 * MINUTE_US) return { weight: 2, text }
  if (elapsedUs <= HOUR_US) return { weight: 1, text }
  if (elapsedUs <= 6 * HOUR_US) return null
  return { weight: elapsedUs <= 24 * HOUR_US ? -1 : -2, text: text.replace('came', 'came only') }
}

function noveltyFinding({ source, firstSeenUs, startedUs, began, anchorUs, rates }: ConfidenceFacts): Finding {
  const what = source === 'recorded' ? 'deploy' : 'commit'
  if (firstSeenUs >= startedUs) {
    // Where nothing at all was logged before, the absence of an error says nothing.
    if (rates?.before.records === 0) {
      return {
        weight: -1,
        text: `Nothing was logged in the environment in ${spanWords(span(rates.before))} before the ${what}, so there is nothing to compare with.`,
      }
    }
    return { weight: 1, text: `It was never seen before the ${what}.` }
  }
  const age = durationWords(startedUs - firstSeenUs)
  if (began === 'first') return { weight: -2, text: `It existed before: first seen ${age} before the ${what}.` }
  const since = began === 'resolved' ? 'it had been resolved' : 'it had been quiet'
  return {
    weight: -1,
    text: `It is not new: first seen ${durationWords(anchorUs - firstSeenUs)} before it came back, after ${since}.`,
  }
}

function rateFinding({ rates, source }: ConfidenceFacts): Finding {
  if (!rates || rates.before.records === 0) return null
  const { before, after } = rates
  const what = source === 'recorded' ? 'deploy' : 'commit'
  const text = `${countedPlainly(before.errors, 'error')} in ${spanWords(span(before))} before the ${what}, ${after.errors} in ${spanWords(span(after))} after it.`
  const [was, is] = [perHour(before.errors, before), perHour(after.errors, after)]
  if (before.errors === 0) return after.errors > 0 ? { weight: 1, text } : null
  if (is >= 3 * was) return { weight: 1, text }
  return is <= 1.5 * was ? { weight: -2, text } : null
}

function releaseFinding({ releases, sha, ref }: ConfidenceFacts): Finding {
  const named = (releases ?? []).filter(({ value }) => value !== '')
  const total = named.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const isDeployed = (value: string) => isSameRevision(value, sha) || value === ref
  const matching = named.filter(({ value }) => isDeployed(value)).reduce((sum, { count }) => sum + count, 0)
  if (matching === total) {
    const all =
      total === 1 ? 'The one error that names a release comes' : `All ${total} errors that name a release come`
    return { weight: 2, text: `${all} from ${shaWords(sha)}.` }
  }
  if (matching > 0) {
    const text = `${matching} of ${countedPlainly(total, 'error')} that name a release come from ${shaWords(sha)}.`
    return { weight: matching * 2 >= total ? 1 : -1, text }
  }
  // A version number says nothing about a hash; two hashes can be compared.
  const [first] = named
  if (first === undefined || !isHash(sha) || !named.every(({ value }) => isHash(value))) return null
  const text = `The errors come from release ${shaWords(first.value)}, none from ${shaWords(sha)}.`
  return { weight: -2, text }
}

function elsewhereFinding({ elsewhere, environment }: ConfidenceFacts): Finding {
  if (!elsewhere || elsewhere.length === 0) return null
  const places = elsewhere
    .filter((one) => one.environment !== environment)
    .slice(0, 3)
    .map((one) => `${one.count} in ${nameWords(one.environment)}`)
  if (places.length === 0) return null
  return { weight: -1, text: `The same errors occur where this revision was not deployed: ${places.join(', ')}.` }
}

function defaultedFinding({ environmentDefaulted, environment }: ConfidenceFacts): Finding {
  if (!environmentDefaulted) return null
  return {
    weight: -1,
    text: `The sender named no environment; ${nameWords(environment)} is the default of the project.`,
  }
}

function failedFinding({ failedDeploys, anchorUs }: ConfidenceFacts): Finding {
  const [newest] = failedDeploys
  if (newest === undefined) return null
  const elapsed = durationWords(anchorUs - newest.deployedAtUs)
  const how = newest.status === 'failed' ? 'failed' : 'was cancelled'
  const others = failedDeploys.length === 1 ? '' : `, the newest of ${failedDeploys.length}`
  return { weight: -1, text: `A deploy to the same environment ${how} ${elapsed} before the first error${others}.` }
}

function span({ fromUs, toUs }: { fromUs: number; toUs: number }): number {
  return toUs - fromUs
}
