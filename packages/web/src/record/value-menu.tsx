/** One menu for every value on the page: include it, exclude it, copy it, make it a column. */
import { logsPage, projectPath } from '@tidemark/wire/dashboard/address'
import { around, recordSearch, traceSearch } from '@tidemark/wire/dashboard/records-page'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import type { TermEdit } from '@tidemark/wire/query/edit'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { Columns3, Copy, Filter, FilterX, Link2, Waypoints } from 'lucide-react'
import { createContext, type ReactNode, Suspense, use, useMemo, useState } from 'react'
import { plainBeginning, plainLine } from '../text/plain-text.ts'
import { useCopyAndSay } from '../ui/copy.tsx'
import { AnchoredMenu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { Awaited } from '../ui/skeleton.tsx'

/** The search of the page around a record, and how to change it. */
export type RecordAddress = {
  projectId: string
  search: Pick<LogsSearch, 'view'>
  /** Undefined where records have no columns. There a value can only be searched for, which leads to the logs. */
  columns: readonly string[] | undefined
  change: (change: Partial<LogsSearch & ProjectSearch>, options?: { replace?: boolean }) => void
  /** Includes or excludes a value; a second time removes it again. */
  edit: (edit: TermEdit) => void
}

/** The trace of a record, without the rest of the query. */
export function traceOfRecord({ traceId, timestamp }: { traceId: string; timestamp: string }) {
  return traceSearch(traceId, around(timestamp))
}

export function recordLink(projectId: string, record: { id: string; timestamp: string }): string {
  return `${location.origin}${projectPath(projectId, logsPage(recordSearch(record)))}`
}

/** `field` by the name that `fieldNamed` reads. */
type Value = { field: string; value: string; record?: { id: string; timestamp: string } | undefined }
export type OpenValueMenu = (anchor: Element, value: Value) => void

const ValueMenuContext = createContext<OpenValueMenu>(() => {})
export const useValueMenu = () => use(ValueMenuContext)

export function ValueMenuProvider({ address, children }: { address: RecordAddress; children: ReactNode }) {
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

function ValueItems({ address, value: { field, value, record } }: { address: RecordAddress; value: Value }) {
  const copy = useCopyAndSay()
  const { columns, change, edit, projectId } = address
  const hasColumn = columns?.includes(field) ?? false
  const toggled = hasColumn ? columns?.filter((name) => name !== field) : [...(columns ?? []), field]
  return (
    <>
      <p className="truncate px-2 py-1 font-mono text-small text-muted">
        {plainLine(field)}: <span className="text-text">{plainBeginning(value, 200)}</span>
      </p>
      <MenuItem
        icon={<Filter size={14} aria-hidden="true" />}
        onSelect={() => edit({ field: fieldNamed(field), value })}
      >
        {columns ? 'Include' : 'View these errors with it'}
      </MenuItem>
      <MenuItem
        icon={<FilterX size={14} aria-hidden="true" />}
        onSelect={() => edit({ field: fieldNamed(field), value, exclude: true })}
      >
        {columns ? 'Exclude' : 'View these errors without it'}
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
      {columns && (
        <MenuItem
          icon={<Columns3 size={14} aria-hidden="true" />}
          onSelect={() => change({ columns: toggled?.join(',') || undefined })}
        >
          {hasColumn ? 'Remove the column' : 'Add as a column'}
        </MenuItem>
      )}
    </>
  )
}
