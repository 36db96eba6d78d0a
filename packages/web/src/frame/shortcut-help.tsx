import { actionOf, STATE_KEYS } from '../marks/analysis-action.ts'
import { capitalised } from '../text/capitalised.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Keys, MOD_KEY } from '../ui/kbd.tsx'
import { RAIL_PAGES } from './pages.ts'

const GROUPS: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [`${MOD_KEY} K`, 'Commands'],
      ['?', 'This help'],
      ['t', 'Time range, if there is one'],
      ['u', 'UTC or your zone'],
      ...RAIL_PAGES.map(({ keys, label }) => [keys, `Go to ${label.toLowerCase()}`] as const),
    ],
  },
  {
    title: 'Logs',
    keys: [
      ['/', 'Write a query'],
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['Esc', 'Close the panel'],
      ['o', 'Oldest or newest first'],
      ['z', 'Zoom out'],
      ['w', 'Wrap long lines'],
      ['p', 'Stream or patterns'],
      ['b', 'Stream or groups'],
      ['l', 'Live on or off'],
      ['Space', 'Pause or resume live'],
    ],
  },
  {
    title: 'Analyses',
    keys: [
      ['/', 'Search the list'],
      ['j', 'Next analysis'],
      ['k', 'Previous analysis'],
      ['Enter', 'Open the analysis'],
      ['x', 'Select; Shift X for a range'],
      ['s', 'Select all shown; again for all that match'],
      ...STATE_KEYS.map((key) => [key, `${whatDoes(key)} them`] as const),
      ['a', 'Assign them'],
    ],
  },
  {
    title: 'One analysis',
    keys: [
      ...STATE_KEYS.map((key) => [key, whatDoes(key)] as const),
      ['a', 'Assign'],
      ['m', 'Copy as Markdown'],
      ['p', 'Copy as a prompt'],
      ['Esc', 'Back to the list'],
    ],
  },
]

export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-6 sm:grid-cols-2">
        {GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-2 text-small font-medium text-muted">{title}</h3>
            <dl className="flex flex-col gap-1.5">
              {keys.map(([key, does]) => (
                <div key={key} className="flex items-center justify-between gap-3">
                  <dt>{does}</dt>
                  <dd>
                    <Keys keys={key} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function whatDoes(key: (typeof STATE_KEYS)[number]): string {
  return `${capitalised(actionOf(key, ['new']))} or ${actionOf(key, ['resolved'])}`
}
