import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { QUERY_EXAMPLES } from '../../text/query-examples.ts'
import { IconButton } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'

/** What a query can say, by examples that run when they are clicked. */
export function QueryHelp({ onRun }: { onRun: (query: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label="Query help"
      align="end"
      className="max-h-[min(560px,80vh)] w-[420px] max-w-[calc(100vw-16px)] overflow-y-auto p-2"
      trigger={
        <IconButton label="Query help">
          <CircleHelp size={14} aria-hidden="true" />
        </IconButton>
      }
    >
      <p className="px-2 pb-1 text-small text-muted">
        Choose an example to run it. Terms beside each other must all match.
      </p>
      <ul>
        {QUERY_EXAMPLES.map(({ query, about }) => (
          <li key={query}>
            <button
              type="button"
              onClick={() => {
                setOpen(false)
                onRun(query)
              }}
              className="flex w-full flex-col rounded-[4px] px-2 py-1 text-left hover:bg-hover"
            >
              <code className="font-mono text-small [overflow-wrap:anywhere]">{query}</code>
              <span className="text-small text-muted">{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
