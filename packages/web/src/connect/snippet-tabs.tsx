import { useState } from 'react'
import { CopyBlock } from '../ui/copy.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Warning } from './reach-warning.tsx'
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
          // All of one height, so that what is below stays where it is: a short text fills it, a long one scrolls.
          <div className="flex h-[min(236px,40vh)] flex-col gap-2 overflow-y-auto">
            <Warning text={warning} />
            <p className="text-muted">{about}</p>
            <CopyBlock text={text} label={name} isCode isFilling={!more && warning === undefined} />
            {more && (
              <>
                <p className="text-muted">{more.about}</p>
                <CopyBlock text={more.text} label={`${name}, second part`} isCode />
              </>
            )}
          </div>
        ),
      }))}
    />
  )
}
