/** The saved views of a project: opened, saved, changed and deleted in a small menu. Which one is open is in the address. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { SavedView } from '@tidemark/wire/dashboard/view'
import { Bookmark, BookmarkCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { changeView, deleteView, searchOfView, showsView, viewOfSearch, viewsQuery } from '../../api/views.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Awaited } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { LogsAddress } from '../logs-address.ts'

// Dialogs weigh much, and most visits of the page need none.
const Confirm = lazy(() => import('../../ui/confirm.tsx').then((module) => ({ default: module.Confirm })))
const ViewDialog = lazy(() => import('./view-dialog.tsx').then((module) => ({ default: module.ViewDialog })))

const route = getRouteApi('/signed-in/projects/$projectId/logs')

export function SavedViews({ address: { projectId, search, change } }: { address: LogsAddress }) {
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const say = useToast()
  const { data, error } = useQuery(viewsQuery(projectId))
  const [asked, setAsked] = useState<'save' | 'edit' | 'delete'>()
  const views = data?.views ?? []
  const opened = views.find(({ id }) => id === search.saved)
  const isChanged = opened !== undefined && !showsView(search, opened)
  const close = () => setAsked(undefined)
  const reload = () => queryClient.invalidateQueries({ queryKey: viewsQuery(projectId).queryKey })
  const open = (view: SavedView) => navigate({ search: searchOfView(view) })

  const update = useMutation({
    mutationFn: ({ id }: SavedView) => changeView(projectId, id, { search: viewOfSearch(search) }),
    onSuccess: async ({ view }) => {
      await reload()
      say(`Saved “${plainLine(view.name)}”`)
    },
    onError: (problem) => say(problem.message),
  })
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => deleteView(projectId, id),
    onSuccess: async () => {
      close()
      change({ saved: undefined }, { replace: true })
      await reload()
    },
  })

  return (
    <>
      <Menu
        align="end"
        trigger={
          opened ? (
            <Button
              look="quiet"
              aria-label={`Saved view ${plainLine(opened.name)}${isChanged ? ', changed' : ''}`}
              title={`Saved view: ${plainLine(opened.name)}`}
              className="max-w-48 !px-1.5 text-text max-sm:max-w-7"
              icon={<BookmarkCheck size={15} className="shrink-0 text-accent" aria-hidden="true" />}
            >
              <span className="truncate max-sm:hidden">{plainLine(opened.name)}</span>
              {isChanged && (
                <span className="font-normal text-faint max-sm:hidden" aria-hidden="true">
                  changed
                </span>
              )}
            </Button>
          ) : (
            <IconButton label="Saved views">
              <Bookmark size={15} aria-hidden="true" />
            </IconButton>
          )
        }
      >
        {isChanged && opened.canChange && <MenuItem onSelect={() => update.mutate(opened)}>Save changes</MenuItem>}
        {isChanged && <MenuItem onSelect={() => open(opened)}>Discard changes</MenuItem>}
        <MenuItem onSelect={() => setAsked('save')}>{opened ? 'Save as a new view' : 'Save this view'}</MenuItem>
        {opened?.canChange && <MenuItem onSelect={() => setAsked('edit')}>Rename or share</MenuItem>}
        {opened?.canChange && (
          <MenuItem isDanger onSelect={() => setAsked('delete')}>
            Delete
          </MenuItem>
        )}
        {opened && <MenuItem onSelect={() => change({ saved: undefined })}>Close this view</MenuItem>}
        <ViewItems title="Yours" views={views.filter(({ isShared }) => !isShared)} opened={opened} onOpen={open} />
        <ViewItems title="Shared" views={views.filter(({ isShared }) => isShared)} opened={opened} onOpen={open} />
        {views.length === 0 && (
          <p className="max-w-64 px-2 py-1.5 text-small text-pretty text-faint">
            {error ? error.message : 'A saved view keeps the query, the time range and the columns under a name.'}
          </p>
        )}
      </Menu>
      <Suspense fallback={<Awaited />}>
        {asked === 'save' && (
          <ViewDialog projectId={projectId} search={search} onClose={close} onSaved={(view) => open(view)} />
        )}
        {asked === 'edit' && opened && (
          <ViewDialog projectId={projectId} search={search} view={opened} onClose={close} onSaved={() => {}} />
        )}
        {asked === 'delete' && opened && (
          <Confirm
            isOpen
            title={`Delete “${plainLine(opened.name)}”`}
            action="Delete"
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate(opened)}
            onClose={close}
          >
            {opened.isShared ? 'It is deleted for everybody in the project.' : 'Only you can see it.'} This can’t be
            undone. The records stay.
          </Confirm>
        )}
      </Suspense>
    </>
  )
}

type ViewItemsProps = {
  title: string
  views: readonly SavedView[]
  opened: SavedView | undefined
  onOpen: (view: SavedView) => void
}

function ViewItems({ title, views, opened, onOpen }: ViewItemsProps) {
  if (views.length === 0) return null
  return (
    <>
      <MenuSeparator />
      <MenuHeading>{title}</MenuHeading>
      {views.map((view) => (
        <MenuItem
          key={view.id}
          isChosen={view.id === opened?.id}
          detail={view.isShared ? plainLine(view.owner) : undefined}
          onSelect={() => onOpen(view)}
        >
          {plainLine(view.name)}
        </MenuItem>
      ))}
    </>
  )
}
