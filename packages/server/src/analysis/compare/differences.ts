/**
 * How two windows of records differ: values that come more or less often than in the base, both as a share of the
 * records and in a time. Either alone misleads: with a flood of errors the share of all else falls, and at night
 * everything is rarer. How telling a difference is is the smaller of the two likelihood ratios G, which also hold for
 * small counts. Values that are new by their nature, such as ids and durations, would drown all others and are left out
 * by how they behave, not by their names.
 */
import { CHANGES, type Change } from '@tidemark/wire/reading/compare'
import { likelihoodRatio, rateRatio, type Shares } from '../chance/likelihood-ratio.ts'

export type Tally = {
  field: string
  /** One of our own fields: its values are shown however they behave. */
  isOurs: boolean
  values: readonly { value: string; count: number }[]
  /** There are rarer values that are not listed. */
  isCut: boolean
}

export type TalliedWindow = {
  records: number
  /** In which the records came. */
  seconds: number
  fields: readonly Tally[]
  /** There are rarer fields that are not listed. */
  isCut: boolean
}

export type FoundDifference = {
  field: string
  value: string
  count: number
  total: number
  baseCount: number
  baseTotal: number
  change: Change
  /** How telling it is. */
  g: number
}

/** Fewer records than this in both windows are an accident. */
const MIN_RECORDS = 5
/** By chance alone, one value in a thousand gets this far. */
const MIN_G = 10.83
/** With many records the smallest shift is beyond chance, and still not worth a word. */
const MIN_RATIO = 1.5
const MIN_SHIFT = 0.15
/** Of many values of a sender's field one is always odd: the bar is higher by this for each doubling of their number. */
const G_FOR_DOUBLE = 2 * Math.LN2
/** From this many values on, a field whose values are all others than before holds ids. */
const IDS_FROM = 5
/** The same for a field that only one of the windows has, of which nothing else is known. */
const LONE_IDS_FROM = 20
/** At most this share of the records has a value that the other window has too. */
const MAX_SHARE_OF_KNOWN_IDS = 0.2
/** From this many values on, a field whose values mostly begin with a digit holds measurements. */
const MEASURED_FROM = 20

/** The most telling first. */
export function differencesOf(now: TalliedWindow, base: TalliedWindow): FoundDifference[] {
  if (now.records === 0 || base.records === 0) return []
  const names = new Set([...now.fields, ...base.fields].map(({ field }) => field))
  const found = [...names].flatMap((name) => {
    const [mine, theirs] = [tallyOf(now, name), tallyOf(base, name)]
    if (mine === null || theirs === null || isNewByNature(mine, theirs)) return []
    return differencesOfField(mine, theirs, now, base)
  })
  return found.sort(byTelling)
}

/** Of two values that share a field between them, one gains what the other loses: the one that gained comes first. */
export function byTelling(a: FoundDifference, b: FoundDifference): number {
  const [kind, other] = [a, b].map(({ change }) => CHANGES.indexOf(change)) as [number, number]
  return rounded(b.g) - rounded(a.g) || kind - other || compareText(a.field, b.field) || compareText(a.value, b.value)
}

/** Null when the field may be there without being listed. */
function tallyOf({ fields, isCut }: TalliedWindow, name: string): Tally | null {
  const tally = fields.find(({ field }) => field === name)
  if (tally !== undefined) return tally
  return isCut ? null : { field: name, isOurs: false, values: [], isCut: false }
}

function differencesOfField(mine: Tally, theirs: Tally, now: TalliedWindow, base: TalliedWindow): FoundDifference[] {
  const { records: total } = now
  const { records: baseTotal } = base
  const [counts, baseCounts] = [countsOf(mine), countsOf(theirs)]
  const values = Math.max(counts.size, baseCounts.size)
  const leastG = MIN_G + (mine.isOurs || theirs.isOurs ? 0 : G_FOR_DOUBLE * Math.log2(values))
  return [...new Set([...counts.keys(), ...baseCounts.keys()])].flatMap((value) => {
    const count = counts.get(value) ?? (mine.isCut ? null : 0)
    const baseCount = baseCounts.get(value) ?? (theirs.isCut ? null : 0)
    if (count === null || baseCount === null) return []
    const shares = { count, total, baseCount, baseTotal }
    const isMore = count / total > baseCount / baseTotal
    if (isMore !== count / now.seconds > baseCount / base.seconds) return []
    const g = Math.min(likelihoodRatio(shares), rateRatio(shares, now.seconds, base.seconds))
    const change = baseCount === 0 ? 'appeared' : count === 0 ? 'vanished' : isMore ? 'grew' : 'shrank'
    return g >= leastG && isWorthAWord(shares) ? [{ field: mine.field, value, ...shares, change, g }] : []
  })
}

function countsOf({ values }: Tally): Map<string, number> {
  return new Map(values.map(({ value, count }) => [value, count]))
}

function isWorthAWord({ count, total, baseCount, baseTotal }: Shares): boolean {
  if (Math.max(count, baseCount) < MIN_RECORDS) return false
  const [share, baseShare] = [count / total, baseCount / baseTotal]
  const [larger, smaller] = [Math.max(share, baseShare), Math.min(share, baseShare)]
  return larger >= smaller * MIN_RATIO || larger - smaller >= MIN_SHIFT
}

function isNewByNature(mine: Tally, theirs: Tally): boolean {
  if (mine.isOurs || theirs.isOurs) return false
  return isMeasured(mine) || isMeasured(theirs) || holdsIds(mine, theirs)
}

/** Durations, sizes, amounts, times, addresses. Codes such as `502` are few, and are shown. */
function isMeasured({ values }: Tally): boolean {
  const numeric = values.filter(({ value }) => /^[-+.]?\d/.test(value)).length
  return values.length >= MEASURED_FROM && numeric > values.length / 2
}

/** Each value belongs to one request, session or order, and the next window has others. */
function holdsIds(mine: Tally, theirs: Tally): boolean {
  const fewer = Math.min(mine.values.length, theirs.values.length)
  const isMany = fewer === 0 ? mine.values.length + theirs.values.length >= LONE_IDS_FROM : fewer >= IDS_FROM
  return isMany && Math.max(shareOfKnown(mine, theirs), shareOfKnown(theirs, mine)) <= MAX_SHARE_OF_KNOWN_IDS
}

function shareOfKnown(mine: Tally, theirs: Tally): number {
  const known = countsOf(theirs)
  let [all, shared] = [0, 0]
  for (const { value, count } of mine.values) {
    all += count
    if (known.has(value)) shared += count
  }
  return all === 0 ? 0 : shared / all
}

function rounded(g: number): number {
  return Math.round(g * 1e6)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
