import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Tab = { id: string; label: string; content: ReactNode }
type TabsProps = {
  tabs: readonly Tab[]
  label: string
  value: string
  onChange: (id: string) => void
  /** As high as the highest: they lie on each other and one is seen, so that nothing below moves. */
  isOfOneHeight?: boolean
}

export function Tabs({ tabs, label, value, onChange, isOfOneHeight = false }: TabsProps) {
  return (
    <Base.Root value={value ?? tabs[0]?.id} onValueChange={(next) => onChange?.(String(next))}>
      <Base.List aria-label={label} className="flex flex-wrap gap-x-1 border-b border-border">
        {tabs.map(({ id, label: text }) => (
          <Base.Tab
            key={id}
            value={id}
            className="-mb-px h-8 border-b-2 pointer-coarse:h-control border-transparent px-2 text-small font-medium text-muted hover:text-text data-[active]:border-accent data-[active]:text-text"
          >
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      <div className={isOfOneHeight ? 'grid' : undefined}>
        {tabs.map(({ id, content }) => (
          <Base.Panel
            key={id}
            value={id}
            keepMounted={isOfOneHeight}
            className={classNames('pt-3', isOfOneHeight && '[grid-area:1/1]')}
            // What is hidden by the attribute has no height. What is invisible cannot be reached, nor is it read.
            render={
              isOfOneHeight
                ? ({ hidden, ...rest }) => (
                    <div {...rest} inert={hidden} style={{ visibility: hidden ? 'hidden' : undefined }} />
                  )
                : undefined
            }
          >
            {content}
          </Base.Panel>
        ))}
      </div>
    </Base.Root>
  )
}
