import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import { ListFilter, SlidersHorizontal } from 'lucide-react'
import { useHasKeyboard, useIsBelow } from '../frame/use-is-below.ts'
import { plainLine } from '../text/plain-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { changePreferences, usePreferences } from '../ui/preferences.ts'
import type { LogsAddress } from './logs-address.ts'

const OFFERED = 12
const NOT_COLUMNS = new Set(['level', 'service', 'message', 'id'])

type ViewMenuProps = { address: LogsAddress; fields: FieldsAnswer | undefined; onFields: () => void }

/** How the rows look: columns, wrapping, density. */
export function ViewMenu({ address, fields, onFields }: ViewMenuProps) {
  const isNarrow = useIsBelow('lg')
  const hasKeyboard = useHasKeyboard()
  const { density, isWrapped, hasFacets } = usePreferences()
  const { columns, change } = address
  const offered = (fields?.fields ?? []).map(({ name }) => name).filter((name) => !NOT_COLUMNS.has(name))
  const names = [...new Set([...columns, ...offered])].slice(0, Math.max(OFFERED, columns.length))
  const toggle = (name: string) => {
    const next = columns.includes(name) ? columns.filter((other) => other !== name) : [...columns, name]
    change({ columns: next.join(',') || undefined })
  }
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="View: columns, wrapping, density">
          <SlidersHorizontal size={15} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem
        isChosen={isWrapped}
        detail={hasKeyboard && 'w'}
        onSelect={() => changePreferences({ isWrapped: !isWrapped })}
      >
        Wrap long lines
      </MenuItem>
      <MenuItem
        isChosen={density === 'roomy'}
        onSelect={() => changePreferences({ density: density === 'roomy' ? 'compact' : 'roomy' })}
      >
        Comfortable rows
      </MenuItem>
      {!isNarrow && (
        <MenuItem isChosen={hasFacets} onSelect={() => changePreferences({ hasFacets: !hasFacets })}>
          Show fields
        </MenuItem>
      )}
      <MenuItem
        isChosen={address.search.bars === 'errors'}
        onSelect={() => change({ bars: address.search.bars === 'errors' ? undefined : 'errors' })}
      >
        Chart errors only
      </MenuItem>
      <MenuItem
        isChosen={address.search.before === 'on'}
        onSelect={() => change({ before: address.search.before === 'on' ? undefined : 'on' })}
      >
        Chart the previous period
      </MenuItem>
      {isNarrow && address.isReadable && (
        <>
          <MenuSeparator />
          <MenuItem icon={<ListFilter size={14} aria-hidden="true" />} onSelect={onFields}>
            Narrow by fields
          </MenuItem>
        </>
      )}
      {names.length > 0 && address.search.view === undefined && (
        <>
          <MenuSeparator />
          <MenuHeading>Columns</MenuHeading>
          {names.map((name) => (
            <MenuItem key={name} isChosen={columns.includes(name)} onSelect={() => toggle(name)}>
              {plainLine(name)}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  )
}
