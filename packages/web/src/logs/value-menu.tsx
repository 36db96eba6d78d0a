/** One menu for every value on the page: include it, exclude it, copy it, make it a column. */
import { fieldNamed } from '@tidemark/wire/query/fields'
import { Columns3, Copy, Filter, FilterX, Link2, Waypoints } from 'lucide-react'
import { createContext, type ReactNode, Suspense, use, useMemo, useState } from 'react'
import { plainBeginning, plainLine } from '../text/plain-text.ts'
import { useCopyAndSay } from '../ui/copy.tsx'
import { AnchoredMenu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { Awaited } from '../ui/skeleton.tsx'
import { type LogsAddress, recordLink, traceOfRecord } from './logs-address.ts'

/** `field` by the name that `fieldNamed` reads. */
type Value = { field: string; value: string; record?: { id: string; timestamp: string } | undefined }
export type OpenValueMenu = (anchor: Element, value: Value) => void

const ValueMenuContext = createContext<OpenValueMenu>(() => {})
export const useValueMenu = () => use(ValueMenuContext)

export function ValueMenuProvider({ address, children }: { address: LogsAddress; children: ReactNode }) {
  const [shown, setShown] = useState<{ anchor: Element; value: Value }>()
  const [isOpen, setOpen] = useState(false)
  const open = useMemo<OpenValueMenu>(
    () => (anchor, value) => {
      setShown({ anchor, value })
      setOpen(true)
    },
    [],
  )
  return (
    <ValueMenuContext value={open}>
      {children}
      {shown && (
        <Suspense fallback={<Awaited />}>
          <AnchoredMenu anchor={shown.anchor} isOpen={isOpen} onOpenChange={setOpen}>
            <ValueItems address={address} value={shown.value} />
          </AnchoredMenu>
        </Suspense>
      )}
    </ValueMenuContext>
  )
}

function ValueItems({ address, value: { field, value, record } }: { address: LogsAddress; value: Value }) {
  const copy = useCopyAndSay()
  const { columns, change, edit, projectId } = address
  const hasColumn = columns.includes(field)
  const toggled = hasColumn ? columns.filter((name) => name !== field) : [...columns, field]
  return (
    <>
      <p className="truncate px-2 py-1 font-mono text-small text-muted">
        {plainLine(field)}: <span className="text-text">{plainBeginning(value, 200)}</span>
      </p>
      <MenuItem
        icon={<Filter size={14} aria-hidden="true" />}
        onSelect={() => edit({ field: fieldNamed(field), value })}
      >
        Include
      </MenuItem>
      <MenuItem
        icon={<FilterX size={14} aria-hidden="true" />}
        onSelect={() => edit({ field: fieldNamed(field), value, exclude: true })}
      >
        Exclude
      </MenuItem>
      {field === 'traceId' && record && (
        <MenuItem
          icon={<Waypoints size={14} aria-hidden="true" />}
          onSelect={() => change(traceOfRecord({ traceId: value, timestamp: record.timestamp }))}
        >
          Show the trace
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Copy size={14} aria-hidden="true" />} onSelect={() => copy(value, 'Value copied')}>
        Copy value
      </MenuItem>
      {record && (
        <MenuItem
          icon={<Link2 size={14} aria-hidden="true" />}
          onSelect={() => copy(recordLink(projectId, record), 'Link copied')}
        >
          Copy link to the record
        </MenuItem>
      )}
      <MenuItem
        icon={<Columns3 size={14} aria-hidden="true" />}
        onSelect={() => change({ columns: toggled.join(',') || undefined })}
      >
        {hasColumn ? 'Remove the column' : 'Add as a column'}
      </MenuItem>
    </>
  )
}
