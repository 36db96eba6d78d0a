/** Messages that came for the first time, or came no more. Those of errors are left to their analyses. */

import { isErrorLevel, type Level } from '@tidemark/wire/level'
import { counted } from '@tidemark/wire/text/counted'
import { spanWords } from '@tidemark/wire/time/elapsed'
import type { FoundDifference } from '../compare/differences.ts'
import { suddenSilenceIn } from '../silence/sudden-silence.ts'
import type { Slice } from '../slices.ts'
import { nameWords, oneShortLine } from '../words.ts'
import { type Change, changeOf } from './change.ts'
import { silenceFacts, type Window } from './stream-changes.ts'

type PatternStream = {
  text: string
  count: number
  firstUs: number
  lastUs: number
  levels: readonly Level[]
  services: readonly string[]
  /** Of the window and of the base, as one stretch. */
  slices: readonly Slice[]
  query: string | null
}

const MAX_TEXT_CHARACTERS = 200
const MAX_LISTED = 8
/** The statistic at which a new pattern is half as strong as can be. */
const HALF_STRENGTH_G = 40

/** `appeared`: those that the base has none of, beyond chance, as `differencesOf` finds them. */
export function patternChanges(
  patterns: readonly PatternStream[],
  appeared: readonly FoundDifference[],
  window: Window & { baseUs: number },
): Change[] {
  const byText = new Map(patterns.filter(isNoError).map((pattern) => [pattern.text, pattern]))
  const fresh = appeared.flatMap(({ value, g }) => {
    const pattern = byText.get(value)
    if (pattern === undefined || pattern.firstUs > window.atUs) return []
    const where = pattern.services.length === 1 ? ` in ${nameWords(pattern.services[0] ?? '')}` : ''
    const times = counted(pattern.count, 'time')
    return [
      changeOf({
        ...told(pattern, 'New message'),
        atUs: pattern.firstUs,
        reason: `It came ${times} since then${where}, and never in ${spanWords(window.baseUs)} before the window.`,
        strength: g / (g + HALF_STRENGTH_G),
      }),
    ]
  })
  const gone = [...byText.values()].flatMap((pattern) => {
    const silence = suddenSilenceIn({ ...window, slices: pattern.slices }, pattern.lastUs)
    return silence === null ? [] : [changeOf({ ...told(pattern, 'Message gone'), ...silenceFacts(silence) })]
  })
  return [...fresh.slice(0, MAX_LISTED), ...gone.sort((a, b) => b.atUs - a.atUs).slice(0, MAX_LISTED)]
}

function isNoError({ levels: [gravest] }: PatternStream): boolean {
  return gravest === undefined || !isErrorLevel(gravest)
}

function told({ text, services, query }: PatternStream, what: string) {
  const words = JSON.stringify(oneShortLine(text, MAX_TEXT_CHARACTERS))
  return {
    kind: 'pattern' as const,
    title: `${what}: ${words}`,
    service: services.length === 1 ? (services[0] ?? null) : null,
    query,
  }
}
