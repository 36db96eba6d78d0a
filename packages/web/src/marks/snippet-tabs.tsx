import { useState } from 'react'
import { CopyBlock } from '../ui/copy.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { Snippet } from './snippets.ts'

export function SnippetTabs({ snippets, label }: { snippets: readonly Snippet[]; label: string }) {
  const [shown, setShown] = useState(snippets[0]?.id ?? '')
  return (
    <Tabs
      label={label}
      value={shown}
      onChange={setShown}
      tabs={snippets.map(({ id, label: name, about, text, more, warning }) => ({
        id,
        label: name,
        content: (
          // As high as the highest of them, so that what is below stays where it is.
          <div className="flex flex-col gap-2 sm:h-[min(420px,50vh)] sm:overflow-y-auto">
            {warning !== undefined && <p className="text-warn">{warning}</p>}
            <p className="text-muted">{about}</p>
            <CopyBlock text={text} label={name} />
            {more && (
              <>
                <p className="text-muted">{more.about}</p>
                <CopyBlock text={more.text} label={`${name}, second part`} />
              </>
            )}
          </div>
        ),
      }))}
    />
  )
}
