/** The query as text, with completion at the cursor, the queries before, and what is wrong with it at the very character. */
import { parseQuery } from '@tidemark/wire/query/parse'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useIsBelow } from '../../frame/use-is-below.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { LogsAddress } from '../logs-address.ts'
import { queryHistory, rememberQuery } from './query-history.ts'
import { QueryProblem, QueryUnderline } from './query-problem.tsx'
import { type Entry, SuggestionList } from './suggestion-list.tsx'
import { useCompletion } from './use-completion.ts'

const EXAMPLES = 'Search: words, "a phrase", level:>=warn, service:api, -host:a, http.status:>=500'
const FEW_EXAMPLES = 'Words or level:>=warn'

type QueryBarProps = { address: LogsAddress; input: RefObject<HTMLInputElement | null>; onRun: () => void }

export function QueryBar({ address, input, onRun }: QueryBarProps) {
  const { projectId, filter, change } = address
  const applied = filter.query ?? ''
  const [text, setText] = useState(applied)
  const [cursor, setCursor] = useState(applied.length)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const id = useId()
  const moveTo = useRef<number>(undefined)
  const isPhone = useIsBelow('sm')
  const { completion, suggestions, isLoading } = useCompletion({ projectId, filter, text, cursor, isOpen })
  const parsed = parseQuery(text)
  const entries: Entry[] =
    text.trim() === ''
      ? [...queryHistory(projectId).slice(0, 5).map(toQueryEntry), ...suggestions.map(toEntry)]
      : suggestions.map(toEntry)
  const isListed = isOpen && entries.length > 0
  const hasList = isListed || (isOpen && isLoading)
  // After a name and its colon, or after `>=`, nothing is wrong yet: the value is still to come.
  const { field, prefix } = completion
  const isNaming = isOpen && cursor === text.length && field !== undefined && /^[<>=]*$/.test(prefix)
  const fault = parsed.ok || isNaming ? undefined : parsed.error

  // The address may change by a click on a value or by going back: the text follows.
  useEffect(() => {
    setText(applied)
    setChosen(-1)
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
    const isWhole = !entry.text.endsWith(':') && !/[<>=]$/.test(entry.text) && !entry.text.endsWith(' ')
    const inserted = isWhole ? `${entry.text} ` : entry.text
    const next = text.slice(0, completion.from) + inserted + text.slice(completion.to).replace(/^ /, '')
    const at = completion.from + inserted.length
    write(next, at)
    moveTo.current = at
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
    } else if (event.key === 'Escape') {
      if (isOpen) setOpen(false)
      else event.currentTarget.blur()
    } else return
    event.preventDefault()
  }
  const follow = () => setCursor(input.current?.selectionStart ?? text.length)

  return (
    <div className="relative min-w-0 flex-1">
      <div
        className={classNames(
          'relative flex h-9 items-center gap-1 rounded-control border bg-surface pr-1 pl-2.5 focus-within:border-accent',
          fault ? 'border-bad' : 'border-strong-border',
        )}
      >
        <Search size={15} className="shrink-0 text-faint" aria-hidden="true" />
        <div className="relative h-full min-w-0 flex-1">
          <QueryUnderline input={input} text={text} error={fault} />
          <input
            ref={input}
            role="combobox"
            aria-label="Query"
            aria-expanded={hasList}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isListed && chosen >= 0 ? `${id}-${chosen}` : undefined}
            aria-invalid={fault !== undefined || undefined}
            aria-describedby={fault && `${id}-problem`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={isPhone ? FEW_EXAMPLES : EXAMPLES}
            value={text}
            onChange={(event) => {
              write(event.target.value, event.target.selectionStart ?? event.target.value.length)
              setOpen(true)
            }}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onSelect={follow}
            onKeyDown={onKeyDown}
            className="relative h-full w-full bg-transparent px-1 font-mono text-small outline-none placeholder:font-sans placeholder:text-faint"
          />
        </div>
        {text !== '' && (
          <IconButton
            label="Clear the query"
            onClick={() => {
              write('', 0)
              run('')
              input.current?.focus()
            }}
          >
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
        <Button look="primary" onClick={() => run(text)} disabled={fault !== undefined}>
          Run
        </Button>
      </div>
      {fault && <QueryProblem id={`${id}-problem`} error={fault} isTyping={hasList} />}
      <SuggestionList
        id={id}
        entries={entries}
        chosen={chosen}
        isOpen={hasList}
        isLoading={isLoading}
        onAccept={accept}
      />
    </div>
  )
}

const toEntry = ({ text, label, detail }: { text: string; label: string; detail: string }): Entry => ({
  text,
  label,
  detail,
  isQuery: false,
})
const toQueryEntry = (query: string): Entry => ({ text: query, label: query, detail: 'before', isQuery: true })
