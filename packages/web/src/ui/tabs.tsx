import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab = { id: string; label: string; content: ReactNode }

export function Tabs({ tabs, label, value, onChange }: TabsProps) {
  return (
    <Base.Root value={value ?? tabs[0]?.id} onValueChange={(next) => onChange?.(String(next))}>
      <TabStrip tabs={tabs} label={label} />
    </Base.Root>
  )
}

type TabsProps = { tabs: readonly Tab[]; label: string; value: string; onChange: (id: string) => void }

function TabStrip({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <>
      <Base.List aria-label={label} className="flex flex-wrap gap-x-1 border-b border-border">
        {tabs.map(({ id, label: text }) => (
          <Base.Tab
            key={id}
            value={id}
            className="-mb-px h-8 border-b-2 border-transparent px-2 text-small font-medium text-muted hover:text-text data-[active]:border-accent data-[active]:text-text"
          >
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="pt-3 outline-none">
          {content}
        </Base.Panel>
      ))}
    </>
  )
}
