import type { Span } from '@tidemark/wire/query/ast'
import type { QueryError } from '@tidemark/wire/query/query-error'
import { type RefObject, useEffect, useRef, useState } from 'react'

/** Nobody wants to be corrected in the middle of a word. */
const PATIENCE_MS = 700

type ProblemProps = {
  id: string
  error: QueryError
  /** Whether the query is being written, not the one of the address. */
  isWritten: boolean
  /** While something is offered for it, the list is where this would be. */
  hasList: boolean
}

/** What is wrong and how to fix it: at once for the query of a link, else once the writer has paused. */
export function QueryProblem({ id, error, isWritten, hasList }: ProblemProps) {
  const [awaited, setAwaited] = useState<string>()
  const key = `${error.from} ${error.message}`
  const isShown = !isWritten || awaited === key
  useEffect(() => {
    const timer = setTimeout(() => setAwaited(key), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [key])
  return (
    <p
      id={id}
      role={isShown ? 'alert' : undefined}
      className={
        isShown && !hasList
          ? 'float absolute top-10 pointer-coarse:top-12 left-0 z-20 w-max max-w-[min(100%,92ch)] px-2.5 py-1.5 text-small text-bad max-sm:max-w-[calc(100vw-16px)]'
          : 'sr-only'
      }
    >
      {error.message} {error.hint}
    </p>
  )
}

/** Lies behind the field with the same letters in the same places, and underlines those at fault. */
export function QueryUnderline({
  input,
  text,
  error,
}: {
  input: RefObject<HTMLInputElement | null>
  text: string
  error: Span | undefined
}) {
  const mirror = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = input.current
    if (!field) return
    const follow = () => {
      if (mirror.current) mirror.current.scrollLeft = field.scrollLeft
    }
    follow()
    field.addEventListener('scroll', follow)
    return () => field.removeEventListener('scroll', follow)
  })
  if (!error) return null
  // At the end of the text there is no letter to underline: a space stands for the one that is missing.
  const end = Math.max(error.to, error.from + 1)
  const fault = text.slice(error.from, end) || '\u00a0'
  return (
    <div
      ref={mirror}
      aria-hidden="true"
      className="as-typed pointer-events-none absolute inset-0 flex items-center overflow-hidden px-1 font-mono text-small whitespace-pre text-transparent"
    >
      <span>{text.slice(0, error.from)}</span>
      <span data-testid="fault" className="border-b-2 border-bad">
        {fault}
      </span>
      <span>{text.slice(end)}</span>
    </div>
  )
}
