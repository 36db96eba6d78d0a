/** The patterns of a query as a table. Their texts are a stranger's and pass through `oneLine`. */
import type { LogPattern, PatternsAnswer, PatternsInput } from '@tidemark/wire/reading/patterns'
import { shareWords } from '@tidemark/wire/text/share-words'
import { ask } from '../client/ask.ts'
import type { Connection } from '../client/connection.ts'
import { oneLine } from '../client/terminal-text.ts'
import { tableLines } from '../output.ts'

/** The options that say what patterns are compared with. */
export type Against = { comparePrevious?: true; compareSince?: string; compareUntil?: string; deploy?: string }

export function listPatterns(
  connection: Connection,
  question: Omit<PatternsInput, 'compare' | 'compareFrom' | 'compareTo' | 'deployId'>,
  { comparePrevious, compareSince: compareFrom, compareUntil: compareTo, deploy: deployId }: Against,
): Promise<PatternsAnswer> {
  const against = { compare: comparePrevious && 'previous', compareFrom, compareTo, deployId }
  return ask<PatternsAnswer>(connection, '/api/logs/patterns', { ...question, ...against })
}

/** A header, and a line for each pattern; the state and the count of the base only where there is one. */
export function patternLines({ patterns, baseWindow }: Pick<PatternsAnswer, 'patterns' | 'baseWindow'>): string[] {
  if (patterns.length === 0) return []
  const isCompared = baseWindow !== null
  const header = ['COUNT', 'SHARE', ...(isCompared ? ['BEFORE', 'STATE'] : []), 'PATTERN']
  return tableLines([header, ...patterns.map((pattern) => cellsOf(pattern, isCompared))], isCompared ? 3 : 2)
}

function cellsOf({ count, share, baseCount, state, pattern }: LogPattern, isCompared: boolean): string[] {
  const before = isCompared ? [String(baseCount ?? ''), state ?? ''] : []
  return [String(count), shareWords(share), ...before, oneLine(pattern)]
}
