import { History } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'

export type Entry = { text: string; label: string; detail: string; isQuery: boolean }

type SuggestionListProps = {
  id: string
  entries: readonly Entry[]
  chosen: number
  isOpen: boolean
  /** More are being asked for. */
  isLoading: boolean
  onAccept: (entry: Entry) => void
}

/** What could be typed next. The field above it keeps the focus and handles the keys. */
export function SuggestionList({ id, entries, chosen, isOpen, isLoading, onAccept }: SuggestionListProps) {
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
    </div>
  )
}
