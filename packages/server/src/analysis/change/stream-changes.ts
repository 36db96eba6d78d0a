/** What the amounts of records say: services and hosts that appeared or fell silent, volumes and errors that jumped. */

import { printQuery } from '@tidemark/wire/query/print'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { spanWords } from '@tidemark/wire/time/elapsed'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { equals } from '../field-query.ts'
import { type SuddenSilence, suddenSilenceIn } from '../silence/sudden-silence.ts'
import type { Looked, Slice } from '../slices.ts'
import { LEAST_ERRORS, LEAST_RISE } from '../verdict/signals.ts'
import { nameWords } from '../words.ts'
import { type Change, changeOf } from './change.ts'
import { type Began, beganIn, clearestJump, type Jump } from './shifts.ts'

type Place = { environment: string; service: string }
/** Records and errors of a service of an environment. */
export type ServiceStream = Place & { records: readonly Slice[]; errors: readonly Slice[] }
export type Window = Pick<Looked, 'fromUs' | 'atUs'>

/** When at least this many streams jump together, it is one change of their environment. */
const TOGETHER = 3
const TOGETHER_US = 15 * MINUTE_US
const MAX_NAMED = 3
/** A jump of this many doublings, up or down, is as strong as any. */
const MOST_DOUBLINGS = 4

/** `isNamed`: several environments were looked at, so each change says where it is. */
export function serviceChanges(streams: readonly ServiceStream[], window: Window, isNamed: boolean): Change[] {
  const jumps: { stream: ServiceStream; jump: Jump }[] = []
  const changes = streams.flatMap((stream): Change[] => {
    const { environment, service, records, errors } = stream
    const looked = { ...window, slices: records }
    const where = { environment, service, query: queryOf('service', service) }
    const name = `${service === '' ? 'Records without a service' : nameWords(service)}${isNamed ? ` in ${nameWords(environment)}` : ''}`
    const began = beganIn(looked)
    if (began !== null) {
      return [changeOf({ kind: 'service', title: `${name} appeared`, ...beganFacts(began), ...where })]
    }
    const silence = suddenSilenceIn(looked)
    if (silence !== null) {
      return [changeOf({ kind: 'service', title: `${name} fell silent`, ...silenceFacts(silence), ...where })]
    }
    const jump = clearestJump(looked)
    if (jump !== null) jumps.push({ stream, jump })
    const rise = risenErrors({ ...window, slices: errors })
    return rise === null
      ? []
      : [changeOf({ kind: 'errors', title: `Errors of ${name} rose`, ...riseFacts(rise), ...where })]
  })
  return [...changes, ...volumeChanges(jumps, isNamed)]
}

/** A jump of errors needs fewer than one of records: each of them says more. */
function risenErrors(looked: Looked): Began | Jump | null {
  const jump = clearestJump(looked)
  if (jump !== null && jump.factor >= LEAST_RISE && jump.after >= LEAST_ERRORS) return jump
  return jump === null ? beganIn(looked) : null
}

function riseFacts(rise: Began | Jump): Pick<Change, 'atUs' | 'reason' | 'strength'> {
  if ('factor' in rise) return jumpFacts(rise, 'error')
  return {
    ...beganFacts(rise),
    reason: `${counted(rise.count, 'error')} since then, and none in ${spanWords(rise.emptyUs)} before.`,
  }
}

function volumeChanges(jumps: readonly { stream: ServiceStream; jump: Jump }[], isNamed: boolean): Change[] {
  const left = new Set(jumps)
  const changes: Change[] = []
  for (const first of jumps) {
    if (!left.has(first)) continue
    const isRise = first.jump.factor > 1
    const together = [...left].filter(
      ({ stream, jump }) =>
        stream.environment === first.stream.environment &&
        jump.factor > 1 === isRise &&
        Math.abs(jump.atUs - first.jump.atUs) <= TOGETHER_US,
    )
    const told = together.length >= TOGETHER ? together : [first]
    for (const one of told) left.delete(one)
    const { environment, service } = first.stream
    const names = told.map((one) => nameWords(one.stream.service))
    const who = `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''}`
    changes.push(
      changeOf({
        kind: 'volume',
        title: `${who} logged ${isRise ? 'much more' : 'much less'}${isNamed ? ` in ${nameWords(environment)}` : ''}`,
        ...jumpFacts(sumOf(told.map(({ jump }) => jump)), 'record'),
        environment,
        ...(told.length === 1 ? { service, query: queryOf('service', service) } : {}),
      }),
    )
  }
  return changes
}

function sumOf(jumps: readonly Jump[]): Jump {
  const [before, after] = [
    jumps.reduce((sum, one) => sum + one.before, 0),
    jumps.reduce((sum, one) => sum + one.after, 0),
  ]
  return { ...jumps[0]!, before, after, factor: after / Math.max(1, before) }
}

/** Hosts come and go with every roll-out, so those that do so together are one change. */
export function hostChanges(hosts: readonly { host: string; slices: readonly Slice[] }[], window: Window): Change[] {
  const appeared = hosts.flatMap(({ host, slices }) => {
    const began = beganIn({ ...window, slices })
    return began === null ? [] : [{ host, facts: beganFacts(began) }]
  })
  const silent = hosts.flatMap(({ host, slices }) => {
    const silence = suddenSilenceIn({ ...window, slices })
    return silence === null ? [] : [{ host, facts: silenceFacts(silence) }]
  })
  return [...hostGroups(appeared, 'appeared'), ...hostGroups(silent, 'fell silent')]
}

function hostGroups(found: readonly { host: string; facts: Facts }[], did: string): Change[] {
  const left = found.toSorted((one, other) => one.facts.atUs - other.facts.atUs)
  const changes: Change[] = []
  while (left.length > 0) {
    const [first] = left as [(typeof left)[number]]
    const together = left.filter(({ facts }) => facts.atUs - first.facts.atUs <= TOGETHER_US)
    left.splice(0, together.length)
    const names = together.map(({ host }) => nameWords(host))
    const title =
      together.length === 1
        ? `Host ${names[0]} ${did}`
        : `${together.length} hosts ${did}: ${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ' and more' : ''}`
    const reason = together.length === 1 ? first.facts.reason : `${names[0]}: ${first.facts.reason}`
    changes.push(changeOf({ kind: 'host', title, ...first.facts, reason, query: queryOf('host', first.host) }))
  }
  return changes
}

type Facts = Pick<Change, 'atUs' | 'reason' | 'strength'>

function beganFacts({ atUs, count, emptyUs }: Began): Facts {
  const reason = `${counted(count, 'record')} since then, and none in ${spanWords(emptyUs)} before.`
  return { atUs, reason, strength: 1 }
}

export function silenceFacts({ atUs, hourBefore, silentUs }: SuddenSilence): Facts {
  const reason = `${counted(hourBefore, 'record')} in the hour before, and none in ${spanWords(silentUs)} since.`
  return { atUs, reason, strength: 1 }
}

function jumpFacts({ atUs, factor, before, after, spanUs }: Jump, noun: string): Facts {
  const [times, than] = factor > 1 ? [factor, 'times as many'] : [1 / factor, 'times fewer']
  const reason = `${counted(after, noun)} in ${spanWords(spanUs)} since, ${withCommas(before)} in as long before: ${amountWords(times)} ${than}.`
  return { atUs, reason, strength: Math.min(1, Math.log2(times) / MOST_DOUBLINGS) }
}

function queryOf(field: 'service' | 'host', value: string): string | null {
  return value === '' ? null : printQuery({ root: equals(field, value) })
}
