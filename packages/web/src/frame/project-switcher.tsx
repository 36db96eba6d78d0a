import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ChevronDown, Plus } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../ui/menu.tsx'

const route = getRouteApi('/signed-in')

export function ProjectSwitcher({ projectId, projectName }: { projectId: string; projectName: string }) {
  const { session } = route.useRouteContext()
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <Button
          look="quiet"
          className="max-w-56 min-w-14 !shrink !text-text max-sm:px-1.5"
          aria-label={`Project ${projectName}`}
          title={projectName}
        >
          <span className="truncate font-semibold">{projectName || '…'}</span>
          <ChevronDown size={13} className="shrink-0 text-faint" aria-hidden="true" />
        </Button>
      }
    >
      <MenuHeading>Projects</MenuHeading>
      {session.projects.map(({ id, name }) => (
        <MenuItem
          key={id}
          isChosen={id === projectId}
          // Another project has other environments and other records: nothing in the address carries over.
          onSelect={() =>
            navigate({
              to: '/projects/$projectId/overview',
              params: { projectId: id },
              search: { environment: undefined, from: undefined, to: undefined },
            })
          }
        >
          {name}
        </MenuItem>
      ))}
      {session.canCreateProjects && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Plus size={14} aria-hidden="true" />} onSelect={() => navigate({ to: '/projects' })}>
            Create a project
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
