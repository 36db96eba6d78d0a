/** The text of the query bar, the suggestions for it, and its keys. */

import { parseQuery } from '@tidemark/wire/query/parse'
import { isHalfTyped, withSuggestion } from '@tidemark/wire/query/suggest'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useHasKeyboard } from '../../frame/use-is-below.ts'
import type { LogsAddress } from '../logs-address.ts'
import { queryHistory, rememberQuery } from './query-history.ts'
import type { Entry } from './suggestion-list.tsx'
import { useCompletion } from './use-completion.ts'

export type QueryEditingProps = { address: LogsAddress; input: RefObject<HTMLInputElement | null>; onRun: () => void }

export function useQueryEditing({ address, input, onRun }: QueryEditingProps) {
  const { projectId, filter, change } = address
  const applied = filter.query ?? ''
  const [text, setText] = useState(applied)
  const [cursor, setCursor] = useState(applied.length)
  const [isOpen, setOpen] = useState(false)
  const [chosenByKey, setChosen] = useState(-1)
  /** The text was typed, rather than taken from the address or from the list. */
  const [isTyped, setTyped] = useState(false)
  const hasKeyboard = useHasKeyboard()
  /** The cursor just after a space that accepting a suggestion added. */
  const afterSpace = useRef<number>(undefined)
  const moveTo = useRef<number>(undefined)
  const { completion, suggestions, isLoading } = useCompletion({ projectId, filter, text, cursor, isOpen })
  const parsed = parseQuery(text)
  const entries: Entry[] =
    text.trim() === ''
      ? [...queryHistory(projectId).slice(0, 5).map(toQueryEntry), ...suggestions.map(toEntry)]
      : suggestions.map(toEntry)
  const isListed = isOpen && entries.length > 0
  // A screen keyboard has no Escape, so there Enter always runs the text.
  const isPreselected =
    chosenByKey < 0 && isTyped && hasKeyboard && cursor === completion.to && isHalfTyped(completion, suggestions[0])
  const chosen = isPreselected ? 0 : chosenByKey
  const hasList = isListed || (isOpen && isLoading)
  // After a name and its colon, or after `>=`, nothing is wrong yet: the value is still to come.
  const { field, prefix } = completion
  const isNaming = isOpen && cursor === text.length && field !== undefined && /^[<>=]*$/.test(prefix)
  const fault = parsed.ok || isNaming ? undefined : parsed.error

  // The address may change by a click on a value or by going back: the text follows.
  useEffect(() => {
    setText(applied)
    setChosen(-1)
    setTyped(false)
  }, [applied])
  useEffect(() => {
    if (moveTo.current === undefined) return
    input.current?.setSelectionRange(moveTo.current, moveTo.current)
    moveTo.current = undefined
  })

  const write = (next: string, at: number) => {
    setText(next)
    setCursor(at)
    setChosen(-1)
    setTyped(false)
    afterSpace.current = undefined
  }
  const run = (query: string) => {
    // Closed first: what is still missing is reported once it is no longer offered.
    setOpen(false)
    if (!parseQuery(query).ok) return
    rememberQuery(projectId, query)
    if (query.trim() === applied) onRun()
    else change({ query: query.trim() || undefined })
  }
  const accept = (entry: Entry) => {
    if (entry.isQuery) {
      write(entry.text, entry.text.length)
      run(entry.text)
      return
    }
    const next = withSuggestion(text, completion, entry.text)
    write(next.text, next.cursor)
    moveTo.current = next.cursor
    if (next.text[next.cursor - 1] === ' ') afterSpace.current = next.cursor
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      setOpen(true)
      setChosen(
        chosen < 0 && step < 0 ? entries.length - 1 : (chosen + step + entries.length) % Math.max(1, entries.length),
      )
    } else if (event.key === 'Enter') {
      const entry = isListed && !event.metaKey && !event.ctrlKey ? entries[chosen] : undefined
      if (entry) accept(entry)
      else run(text)
    } else if (event.key === 'Tab' && isListed && !event.shiftKey && text !== '') {
      accept(entries[Math.max(0, chosen)]!)
    } else if (event.key === ' ' && isAfterAddedSpace(event.currentTarget)) {
      afterSpace.current = undefined
    } else if (event.key === 'Escape') {
      if (isOpen) setOpen(false)
      else event.currentTarget.blur()
    } else return
    event.preventDefault()
  }
  const isAfterAddedSpace = ({ selectionStart, selectionEnd }: HTMLInputElement) =>
    selectionStart === afterSpace.current && selectionEnd === selectionStart
  const follow = () => setCursor(input.current?.selectionStart ?? text.length)
  const clear = () => {
    write('', 0)
    run('')
    input.current?.focus()
  }
  const runExample = (query: string) => {
    write(query, query.length)
    run(query)
  }
  const type = ({ value, selectionStart }: HTMLInputElement) => {
    write(value, selectionStart ?? value.length)
    setTyped(true)
    setOpen(true)
  }

  const list = { entries, chosen, isPreselected, isListed, hasList, isLoading, accept, setOpen }
  return { text, fault, list, type, follow, onKeyDown, clear, run: () => run(text), runExample }
}

const toEntry = ({ text, label, detail }: { text: string; label: string; detail: string }): Entry => ({
  text,
  label,
  detail,
  isQuery: false,
})
const toQueryEntry = (query: string): Entry => ({ text: query, label: query, detail: 'Recent', isQuery: true })
