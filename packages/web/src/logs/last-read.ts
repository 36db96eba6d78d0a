/** A search that fails takes nothing away: what was read before stays on the page, dimmed, below what went wrong. */
import { useState } from 'react'

type Options = {
  isKept: boolean
  /** What it was read of. Of anything else it says nothing, and is not kept. */
  of: string
}

export function useLastRead<Answer>(answer: Answer | undefined, { isKept, of }: Options): Answer | undefined {
  const [last, setLast] = useState({ answer, of })
  if (answer !== undefined && (last.answer !== answer || last.of !== of)) setLast({ answer, of })
  if (answer !== undefined) return answer
  return isKept && last.of === of ? last.answer : undefined
}
