import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { projectQuery } from '../api/projects.ts'
import { plainLine } from '../text/plain-text.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'

const route = getRouteApi('/signed-in/projects/$projectId')

/** The environment that every page of the project is about. */
export function EnvironmentPicker({ projectId }: { projectId: string }) {
  const { environment } = route.useSearch()
  const navigate = useNavigate()
  const { data } = useQuery(projectQuery(projectId))
  const known = data?.environments ?? []
  const environments = environment === undefined || known.includes(environment) ? known : [environment, ...known]
  const choose = (next: string | undefined) =>
    navigate({ to: '.', search: (before) => ({ ...before, environment: next }) })
  const shown = environment === undefined ? 'All environments' : plainLine(environment)
  return (
    <Menu
      trigger={
        <Button
          look="quiet"
          className="max-w-48 min-w-14 !shrink-[9999] max-sm:px-1.5"
          aria-label={`Environment: ${shown}`}
          title={shown}
        >
          <span className="truncate">{shown}</span>
          <ChevronDown size={13} className="shrink-0 text-faint" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem isChosen={environment === undefined} onSelect={() => choose(undefined)}>
        All environments
      </MenuItem>
      {environments.length > 0 && <MenuSeparator />}
      {environments.map((name) => (
        <MenuItem key={name} isChosen={name === environment} onSelect={() => choose(name)}>
          {plainLine(name)}
        </MenuItem>
      ))}
    </Menu>
  )
}
