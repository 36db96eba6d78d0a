import { getRouteApi, Link } from '@tanstack/react-router'
import { actionOf, STATE_KEYS } from '../marks/analysis-action.ts'
import { capitalised } from '../text/capitalised.ts'
import { QUERY_EXAMPLES } from '../text/query-examples.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Keys, MOD_KEY } from './kbd.tsx'
import { RAIL_PAGES } from './pages.ts'
import { useHasKeyboard } from './use-is-below.ts'

const route = getRouteApi('/signed-in/projects/$projectId')

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

/** Without a keyboard what a query can say comes first: the shortcuts are of no use there, but they may be looked up. */
export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const hasKeyboard = useHasKeyboard()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={hasKeyboard ? 'Keyboard shortcuts' : 'Help'}>
      {!hasKeyboard && (
        <>
          <Queries onClose={onClose} />
          <h3 className="mt-6 mb-4 border-t border-border pt-4 font-semibold">Keyboard shortcuts</h3>
        </>
      )}
      <div className="grid gap-6 sm:grid-cols-2">
        {GROUPS.map(({ title, keys }) => (
          <Shortcuts key={title} title={title} keys={keys} level={hasKeyboard ? 'h3' : 'h4'} />
        ))}
      </div>
    </Dialog>
  )
}

type ShortcutsProps = (typeof GROUPS)[number] & { level: 'h3' | 'h4' }

function Shortcuts({ title, keys, level: Heading }: ShortcutsProps) {
  return (
    <section>
      <Heading className="mb-2 text-small font-medium text-muted">{title}</Heading>
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
  )
}

function Queries({ onClose }: { onClose: () => void }) {
  const { projectId } = route.useParams()
  return (
    <section>
      <h3 className="font-semibold">Queries</h3>
      <p className="mt-1 mb-2 text-small text-muted">
        Choose an example to run it. Terms beside each other must all match.
      </p>
      <ul className="-mx-2">
        {QUERY_EXAMPLES.map(({ query, about }) => (
          <li key={query}>
            <Link
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={{ query }}
              onClick={onClose}
              className="flex min-h-11 flex-col justify-center rounded-[4px] px-2 py-1 hover:bg-hover"
            >
              <code className="font-mono text-small [overflow-wrap:anywhere]">{query}</code>
              <span className="text-small text-muted">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function whatDoes(key: (typeof STATE_KEYS)[number]): string {
  return `${capitalised(actionOf(key, ['new']))} or ${actionOf(key, ['resolved'])}`
}
