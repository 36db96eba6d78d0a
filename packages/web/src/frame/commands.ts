import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { OPEN_STATES } from '@tidemark/wire/analyses/analysis-state'
import { defaultFromOf } from '@tidemark/wire/dashboard/address'
import { isAtLeast } from '@tidemark/wire/people/role'
import { useRole } from '../api/roles.ts'
import { searchOfView, viewsQuery } from '../api/views.ts'
import { STATE_LOOK } from '../marks/analysis-state.tsx'
import { plainLine } from '../text/plain-text.ts'
import { presetsOf } from '../time/range.ts'
import { changePreferences, usePreferences } from '../ui/preferences.ts'
import { useSignOut } from './person-menu.tsx'
import { SECTIONS } from './settings-sections.ts'
import { useShareLink } from './share-link.ts'

/** `id` distinguishes commands with the same words. */
export type Command = { id?: string; label: string; group: string; run: () => unknown }

const route = getRouteApi('/signed-in/projects/$projectId')

export function useCommands(projectId: string, onHelp: () => void): Command[] {
  const { session } = route.useRouteContext()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const preferences = usePreferences()
  const share = useShareLink()
  const leave = useSignOut()
  const role = useRole(projectId)
  const { data: saved } = useQuery(viewsQuery(projectId))
  const params = { projectId }
  return [
    { label: 'Overview', group: 'Go to', run: () => navigate({ to: '/projects/$projectId/overview', params }) },
    { label: 'Logs', group: 'Go to', run: () => navigate({ to: '/projects/$projectId/logs', params }) },
    {
      label: 'Log patterns',
      group: 'Go to',
      run: () => navigate({ to: '/projects/$projectId/logs', params, search: { view: 'patterns' } }),
    },
    { label: 'Analyses', group: 'Go to', run: () => navigate({ to: '/projects/$projectId/analyses', params }) },
    ...OPEN_STATES.filter((state) => state !== 'ongoing').map((state) => ({
      label: `${STATE_LOOK[state].word} analyses`,
      group: 'Go to',
      run: () => navigate({ to: '/projects/$projectId/analyses', params, search: { state } }),
    })),
    { label: 'Deploys', group: 'Go to', run: () => navigate({ to: '/projects/$projectId/deploys', params }) },
    ...(saved?.views ?? []).map((view) => ({
      id: view.id,
      label: plainLine(view.name),
      group: view.isShared ? 'Shared view' : 'Saved view',
      run: () => navigate({ to: '/projects/$projectId/logs', params, search: searchOfView(view) }),
    })),
    ...SECTIONS.filter(({ least }) => isAtLeast(role, least)).map(({ id, label }) => ({
      label,
      group: 'Settings',
      run: () => navigate({ to: '/projects/$projectId/settings/$section', params: { projectId, section: id } }),
    })),
    {
      label: 'Connect logs, deploys and agents',
      group: 'Start',
      run: () => navigate({ to: '.', search: (before) => ({ ...before, start: 'open' as const }) }),
    },
    { label: 'Copy link to this view', group: 'Share', run: share },
    {
      label: preferences.zone === 'utc' ? 'Show times in my zone' : 'Show times in UTC',
      group: 'View',
      run: () => changePreferences({ zone: preferences.zone === 'utc' ? 'local' : 'utc' }),
    },
    { label: 'Light', group: 'Appearance', run: () => changePreferences({ theme: 'light' }) },
    { label: 'Dark', group: 'Appearance', run: () => changePreferences({ theme: 'dark' }) },
    { label: 'System', group: 'Appearance', run: () => changePreferences({ theme: 'system' }) },
    ...presetsOf(defaultFromOf(pathname)).map(({ label, range }) => ({
      label,
      group: 'Time range',
      run: () => navigate({ to: '.', search: (before) => ({ ...before, ...range }) }),
    })),
    ...session.projects
      .filter(({ id }) => id !== projectId)
      .map(({ id, name }) => ({
        label: name,
        group: 'Project',
        run: () =>
          navigate({
            to: '/projects/$projectId/overview',
            params: { projectId: id },
            search: { environment: undefined, from: undefined, to: undefined },
          }),
      })),
    { label: 'Keyboard shortcuts', group: 'Help', run: onHelp },
    { label: 'Sign out', group: 'Account', run: leave },
  ]
}
