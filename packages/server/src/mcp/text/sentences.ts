/** What several tools say of their answer: the window, that it is empty, what to note. */
import { warning } from '@tidemark/wire/reading/question'
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
