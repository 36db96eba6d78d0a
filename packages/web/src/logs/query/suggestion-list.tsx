import { History } from 'lucide-react'
import { Keys } from '../../frame/kbd.tsx'
import { useHasKeyboard } from '../../frame/use-is-below.ts'
import { classNames } from '../../ui/class-names.ts'

export type Entry = { text: string; label: string; detail: string; isQuery: boolean }

type SuggestionListProps = {
  id: string
  entries: readonly Entry[]
  chosen: number
  /** The first entry is highlighted because the typed word is half of it, not by the arrow keys. */
  isPreselected?: boolean
  hasText?: boolean
  isOpen: boolean
  /** More are on their way. */
  isLoading: boolean
  onAccept: (entry: Entry) => void
}

/** The field above the list keeps the focus and handles the keys. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, entries, chosen, isPreselected = false, hasText = false, isOpen, isLoading, onAccept } = props
  const hasKeyboard = useHasKeyboard()
  // Tab leaves an empty field, as everywhere.
  const tabAccepts = hasKeyboard && hasText ? Math.max(0, chosen) : -1
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      className={classNames(
        'float absolute top-10 pointer-coarse:top-12 right-0 left-0 z-30 max-h-80 max-w-[640px] overflow-y-auto p-1 max-sm:right-auto max-sm:w-[calc(100vw-16px)]',
        !isOpen && 'hidden',
      )}
    >
      {isOpen &&
        entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys for the whole list
          <div
            key={`${entry.isQuery} ${entry.text}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            // Before the field loses its focus and closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onAccept(entry)}
            className={classNames(
              'flex h-control cursor-pointer items-center gap-2 rounded-[4px] border-l-2 px-2',
              index === chosen ? 'border-accent bg-accent-surface' : 'border-transparent hover:bg-hover',
            )}
          >
            {entry.isQuery && <History size={13} className="shrink-0 text-faint" aria-hidden="true" />}
            <span className="min-w-0 truncate font-mono text-small">{entry.label}</span>
            <span className="ml-auto shrink-0 text-tiny text-faint">{entry.detail}</span>
            {index === tabAccepts && (
              <span className="shrink-0" aria-hidden="true">
                <Keys keys={chosen < 0 ? 'Tab' : 'Tab Enter'} />
              </span>
            )}
          </div>
        ))}
      {isOpen && isLoading && (
        <div
          role="option"
          tabIndex={-1}
          aria-selected="false"
          aria-disabled="true"
          className="flex h-control items-center px-2.5 text-small text-muted"
        >
          Loading values
        </div>
      )}
      {isOpen && isPreselected && (
        <p aria-hidden="true" className="mt-1 border-t border-border px-2 pt-1.5 pb-0.5 text-tiny text-muted">
          <Keys keys="Esc" /> then <Keys keys="Enter" /> runs the query as typed
        </p>
      )}
    </div>
  )
}
