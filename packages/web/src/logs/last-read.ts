/** Keeps the last answer on the page while a search has failed or its query cannot be read. */
import { useState } from 'react'

type Options = {
  isKept: boolean
  /** The subject of the answer. An answer about another subject is dropped. */
  of: string
}

/**
 * Returns true if the placeholder data is from another search than `search`. The previous answer of the same search is not
 * stale enough to be dimmed.
 */
export function useIsOther(isPlaceholder: boolean, search: string): boolean {
  const [answered, setAnswered] = useState(search)
  if (!isPlaceholder && answered !== search) setAnswered(search)
  return isPlaceholder && answered !== search
}

export function useLastRead<Answer>(answer: Answer | undefined, { isKept, of }: Options): Answer | undefined {
  const [last, setLast] = useState({ answer, of })
  if (answer !== undefined && (last.answer !== answer || last.of !== of)) setLast({ answer, of })
  if (answer !== undefined) return answer
  return isKept && last.of === of ? last.answer : undefined
}
