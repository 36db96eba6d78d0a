/** The rail, the bar and the keyboard around every page of a project. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { defaultFromOf } from '@tidemark/wire/dashboard/address'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { projectQuery } from '../api/projects.ts'
import { isStatus } from '../api/request.ts'
import { loadMenus } from '../ui/menu.tsx'
import { changePreferences, usePreferences } from '../ui/preferences.ts'
import { useShortcuts } from '../ui/shortcuts.ts'
import { Awaited } from '../ui/skeleton.tsx'
import { useHeldKeys } from './held-keys.ts'
import { MissingPage } from './other-pages.tsx'
import { usePageTitle } from './page-title.ts'
import { RAIL_PAGES } from './pages.ts'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'
import { whenIdle } from './when-idle.ts'

// What is opened rarely is loaded when needed: the first page comes sooner.
const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })))
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })))

const route = getRouteApi('/signed-in/projects/$projectId')

type ProjectFrameProps = { StartDialog: ComponentType<{ projectId: string; projectName: string }> }

export function ProjectFrame({ StartDialog }: ProjectFrameProps) {
  const { projectId } = route.useParams()
  const { start } = route.useSearch()
  const { session } = route.useRouteContext()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { zone } = usePreferences()
  const [open, setOpen] = useState<'palette' | 'help' | 'range'>()
  const close = () => setOpen(undefined)
  const takeHeld = useHeldKeys(open === 'palette', close)
  const queryClient = useQueryClient()
  const project = useQuery(projectQuery(projectId))
  const summary = session.projects.find(({ id }) => id === projectId)
  const name = summary?.name ?? project.data?.name

  usePageTitle(projectId, name)
  // With the first sign of a hand: whoever then opens a menu should not wait for it, and the first page comes before it.
  useEffect(() => {
    const signs = ['pointermove', 'pointerdown', 'keydown'] as const
    const stop = () => {
      for (const sign of signs) removeEventListener(sign, load)
    }
    const load = () => {
      stop()
      loadMenus()
    }
    for (const sign of signs) addEventListener(sign, load, { passive: true })
    return stop
  }, [])
  useEffect(() => {
    const load = () => {
      loadMenus()
      loadPalette()
    }
    return whenIdle(load, () => queryClient.isFetching() > 0)
  }, [queryClient])

  useShortcuts({
    '?': () => setOpen('help'),
    'mod+k': () => setOpen(open === 'palette' ? undefined : 'palette'),
    ...(defaultFromOf(pathname) !== undefined && { t: () => setOpen('range') }),
    u: () => changePreferences({ zone: zone === 'utc' ? 'local' : 'utc' }),
    ...Object.fromEntries(RAIL_PAGES.map(({ keys, to }) => [keys, () => navigate({ to, params: { projectId } })])),
  })

  if (isStatus(project.error, 404)) return <MissingPage />
  return (
    <div className="flex h-full flex-col-reverse sm:flex-row">
      <Rail projectId={projectId} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TopBar
          projectId={projectId}
          projectName={name ?? ''}
          isRangeOpen={open === 'range'}
          onRangeOpen={(isOpen) => setOpen(isOpen ? 'range' : undefined)}
          onPalette={() => setOpen('palette')}
          onHelp={() => setOpen('help')}
        />
        <Outlet />
      </div>
      <Suspense fallback={<Awaited />}>
        {open === 'palette' && (
          <CommandPalette
            isOpen
            onClose={close}
            projectId={projectId}
            onHelp={() => setOpen('help')}
            takeHeld={takeHeld}
          />
        )}
        {open === 'help' && <ShortcutHelp isOpen onClose={close} />}
        {start === 'open' && <StartDialog projectId={projectId} projectName={name ?? ''} />}
      </Suspense>
    </div>
  )
}
