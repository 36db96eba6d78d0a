/** What several tools say of their answer: the window, that it is empty, what to note, what is missing. */
import { warning } from '@tidemark/wire/reading/question'
import { counted } from '@tidemark/wire/text/counted'
import { z } from 'zod'

export type Span = { from: string; to: string }

/** The position in the query is for people, who see it underlined. */
export const warnings = z.array(warning.pick({ message: true }))

export function windowFact({ from, to }: Span): string {
  return `Window: ${from} to ${to}`
}

/** Our sentence outside the fence; the verb's explanation names environments and services and stays inside. */
export function emptyFact(empty: string | null, sentence: string): string[] {
  return empty === null ? [] : [`${sentence} See below for the reason, and where to look instead.`]
}

export function remarks(empty: string | null, list: readonly { message: string }[]): string[] {
  return [...(empty === null ? [] : [empty]), ...list.map(({ message }) => `note: ${message}`)]
}

/** `3 deploys are left out; see list_deploys.`; nothing where nothing is missing. */
export function leftOut(count: number, { one, many, hint }: { one: string; many?: string; hint?: string }): string[] {
  const after = hint === undefined ? '' : `; ${hint}`
  return count <= 0 ? [] : [`${counted(count, one, many)} ${count === 1 ? 'is' : 'are'} left out${after}.`]
}

/** `The 3 smallest groups are counted in otherGroups.` */
export function countedIn(field: string, count: number, noun: string): string[] {
  if (count <= 0) return []
  return [`The ${count === 1 ? `${noun} is` : `${counted(count, noun)} are`} counted in ${field}.`]
}
