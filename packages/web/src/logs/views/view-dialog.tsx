import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LOGS_DEFAULT_FROM, projectPath } from '@tidemark/wire/dashboard/address'
import type { LogsSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import type { SavedView } from '@tidemark/wire/dashboard/view'
import { MAX_VIEW_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { isAtLeast } from '@tidemark/wire/people/role'
import { parseTime } from '@tidemark/wire/time/parse-time'
import { type FormEvent, useState } from 'react'
import { RequestError } from '../../api/request.ts'
import { useRole } from '../../api/roles.ts'
import { sessionQuery } from '../../api/session.ts'
import { changeView, saveView, viewOfSearch, viewsQuery } from '../../api/views.ts'
import { absolute } from '../../frame/share-link.ts'
import { plainLine } from '../../text/plain-text.ts'
import { rangeLabel, resolveLocally } from '../../time/range.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { Problem } from '../../ui/problem.tsx'
import { useToast } from '../../ui/toast.tsx'

type ViewDialogProps = {
  projectId: string
  search: LogsSearch & ProjectSearch
  /** Without one, a new view of what is shown. */
  view?: SavedView
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function ViewDialog({ projectId, search, view, onClose, onSaved }: ViewDialogProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const { zone } = usePreferences()
  const role = useRole(projectId)
  const { data: session } = useQuery(sessionQuery)
  const isOthers = view !== undefined && session !== undefined && view.ownerId !== session?.person.id
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(view?.isShared ?? false)
  const [isFrozen, setFrozen] = useState(false)
  // The times that a relative range stands for are those of when the dialog was opened, as it says.
  const [frozen] = useState(() => frozenSearch(projectId, search))
  const saving = useMutation({
    mutationFn: () =>
      view
        ? changeView(projectId, view.id, { name, isShared })
        : saveView(projectId, { name, isShared, search: viewOfSearch(isFrozen && frozen ? frozen : search) }),
    onSuccess: async (answer) => {
      await queryClient.invalidateQueries({ queryKey: viewsQuery(projectId).queryKey })
      say(view ? 'Saved' : 'View saved')
      onClose()
      onSaved(answer.view)
    },
  })
  const fault = saving.error instanceof RequestError ? saving.error.field('name') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Dialog isOpen onClose={onClose} title={view ? 'Rename or share' : 'Save this view'}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Name"
          required
          placeholder="Payment errors in production"
          maxLength={MAX_VIEW_NAME_CHARACTERS}
          value={name}
          error={fault && saving.error?.message}
          onChange={(event) => setName(event.target.value)}
        />
        {!view && frozen && (
          <SelectField
            label="Time range"
            value={isFrozen ? 'frozen' : 'relative'}
            options={[
              {
                value: 'relative',
                label: `${rangeLabel({ from: search.from, to: search.to }, zone)}, counted from when it is opened`,
              },
              { value: 'frozen', label: `Always ${rangeLabel({ from: frozen.from, to: frozen.to }, zone)}` },
            ]}
            onChange={(event) => setFrozen(event.target.value === 'frozen')}
          />
        )}
        {(isAtLeast(role, 'member') || view?.isShared) && (
          <SelectField
            label="Who sees it"
            value={isShared ? 'shared' : 'own'}
            options={[
              { value: 'own', label: isOthers ? `Only ${plainLine(view.owner)}` : 'Only you' },
              { value: 'shared', label: 'Everybody in the project' },
            ]}
            hint={isShared && `${isOthers ? plainLine(view.owner) : 'You'} and owners of the project can change it.`}
            onChange={(event) => setShared(event.target.value === 'shared')}
          />
        )}
        {saving.error && fault === undefined && <Problem error={saving.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={saving.isPending} disabled={name.trim() === ''}>
            {view ? 'Save' : 'Save view'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** With the times that a relative range stands for now; null where they are in the address already, or count from a deploy. */
function frozenSearch(projectId: string, search: LogsSearch & ProjectSearch): (LogsSearch & ProjectSearch) | null {
  const range = { from: search.from ?? LOGS_DEFAULT_FROM, to: search.to }
  const now = Date.now()
  if ((isFixed(range.from) && isFixed(range.to ?? 'now')) || resolveLocally(range, now) === null) return null
  return absolute(projectPath(projectId, 'logs'), search, now)
}

function isFixed(time: string): boolean {
  const parsed = parseTime(time)
  return parsed.ok && parsed.time.base.kind === 'instant'
}
