/** The query as text, with completion at the cursor, the queries before, and what is wrong with it at the very character. */
import type { Span } from '@tidemark/wire/query/ast'
import { CornerDownLeft, Search, X } from 'lucide-react'
import { useId } from 'react'
import { useIsBelow } from '../../frame/use-is-below.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { QueryHelp } from './query-help.tsx'
import { QueryProblem, QueryUnderline } from './query-problem.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { type QueryEditingProps, useQueryEditing } from './use-query-editing.ts'

const EXAMPLES = 'Search: words, "a phrase", level:>=warn, service:api, -host:a, http.status:>=500'
const FEW_EXAMPLES = 'Search: words, level:>=warn'

type QueryBarProps = QueryEditingProps & {
  /** Where in the query that was run the service found a mistake. The message appears where the answer would be. */
  refused: Span | undefined
}

export function QueryBar({ refused, ...props }: QueryBarProps) {
  const { input, address } = props
  const { text, fault, list, type, follow, onKeyDown, clear, run, runExample } = useQueryEditing(props)
  const { chosen, isListed, hasList } = list
  const isWritten = text !== (address.filter.query ?? '')
  const refusedHere = isWritten ? undefined : refused
  const id = useId()
  const isPhone = useIsBelow('sm')
  return (
    <div className="relative min-w-0 flex-1 max-sm:w-full max-sm:flex-none">
      <div
        className={classNames(
          'relative flex h-9 pointer-coarse:h-11 items-center gap-1 rounded-control border bg-surface pr-1 pl-2.5 focus-within:border-accent',
          fault || refusedHere ? 'border-bad' : 'border-strong-border',
        )}
      >
        <Search size={15} className="shrink-0 text-faint" aria-hidden="true" />
        <div className="relative h-full min-w-0 flex-1">
          <QueryUnderline input={input} text={text} error={fault ?? refusedHere} />
          <input
            ref={input}
            role="combobox"
            aria-label="Query"
            aria-expanded={hasList}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isListed && chosen >= 0 ? `${id}-${chosen}` : undefined}
            aria-invalid={fault !== undefined || refusedHere !== undefined || undefined}
            aria-describedby={fault && `${id}-problem`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={isPhone ? FEW_EXAMPLES : EXAMPLES}
            value={text}
            onChange={(event) => type(event.target)}
            onFocus={() => list.setOpen(true)}
            onBlur={() => list.setOpen(false)}
            onSelect={follow}
            onKeyDown={onKeyDown}
            className="relative h-full w-full bg-transparent px-1 font-mono text-small outline-none placeholder:font-sans placeholder:text-faint"
          />
        </div>
        <span className={classNames('flex', text !== '' && 'max-sm:hidden')}>
          <QueryHelp onRun={runExample} />
        </span>
        {text !== '' && (
          <IconButton label="Clear the query" onClick={clear}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
        <Button
          look="primary"
          onClick={run}
          disabled={fault !== undefined}
          className="max-sm:w-control max-sm:!px-0"
          icon={<CornerDownLeft size={14} className="sm:hidden" aria-hidden="true" />}
        >
          <span className="max-sm:sr-only">Run</span>
        </Button>
      </div>
      {fault && <QueryProblem id={`${id}-problem`} error={fault} isWritten={isWritten} hasList={hasList} />}
      <SuggestionList
        id={id}
        entries={list.entries}
        chosen={chosen}
        isPreselected={list.isPreselected}
        hasText={text !== ''}
        isOpen={hasList}
        isLoading={list.isLoading}
        onAccept={list.accept}
      />
    </div>
  )
}
