/**
 * Saved views of the logs page. Everybody keeps views for themself; members also share them with the project. A shared one
 * is changed by the person who saved it and by owners of the project. Never for keys: a view belongs to a person.
 */
import type { ChangeViewInput, NewViewInput, SavedView, ViewSearch } from '@tidemark/wire/dashboard/view'
import { isAtLeast } from '@tidemark/wire/people/role'
import { parseTime } from '@tidemark/wire/time/parse-time'
import type { StoredView, ViewContent } from '../control/views.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import { type ControlParts, changeBy, type PersonCaller, requireManager, requireRole } from './access.ts'
import { logFilter } from './reading/log-filter.ts'

type InProject = { project: string }

export async function listViews(
  parts: ControlParts,
  caller: Caller,
  { project }: InProject,
): Promise<{ views: SavedView[] }> {
  const person = await requireSelf(parts, caller, project)
  const views = await parts.control.views.list(person.project.id, person.personId)
  const names = await parts.control.accounts.names([...new Set(views.map(({ owner }) => owner))])
  return { views: views.map((view) => viewOf(view, person, names)) }
}

export async function saveView(
  parts: ControlParts,
  caller: Caller,
  { project, name, search, isShared = false }: InProject & NewViewInput,
): Promise<SavedView> {
  const person = await requireSelf(parts, caller, project)
  if (isShared) requireRole(person, 'member')
  const view = { name, isShared, search: checkedSearch(search) }
  return named(parts, await parts.control.views.add(person.project.id, view, changeBy(parts, caller)), person)
}

export async function changeView(
  parts: ControlParts,
  caller: Caller,
  { project, id, ...input }: InProject & ChangeViewInput & { id: string },
): Promise<SavedView> {
  const person = await requireSelf(parts, caller, project)
  const search = input.search && checkedSearch(input.search)
  const remake = (before: StoredView): ViewContent => {
    requireChangeable(before, person)
    const { name = before.name, isShared = before.isShared } = input
    if (isShared) requireRole(person, 'member')
    return { name, isShared, search: search ?? before.search }
  }
  const changed = await parts.control.views.change(person.project.id, id, remake, changeBy(parts, caller))
  if (!changed) throw unknownView()
  return named(parts, changed, person)
}

export async function deleteView(
  parts: ControlParts,
  caller: Caller,
  { project, id }: InProject & { id: string },
): Promise<void> {
  const person = await requireSelf(parts, caller, project)
  const check = (before: StoredView) => requireChangeable(before, person)
  if (await parts.control.views.remove(person.project.id, id, check, changeBy(parts, caller))) return
  throw unknownView()
}

/** All who can read the project may keep views in it. */
async function requireSelf(parts: ControlParts, caller: Caller, project: string): Promise<PersonCaller> {
  if (caller.kind !== 'person') {
    throw new AppError('forbidden', 'Saved views belong to people: sign in to the dashboard to use them.')
  }
  await requireManager(parts, caller, { project, least: 'viewer' })
  return caller
}

function requireChangeable(view: StoredView, person: PersonCaller): void {
  if (canChange(view, person)) return
  if (!view.isShared) throw unknownView()
  throw new AppError(
    'forbidden',
    'A shared view can be changed only by the person who saved it and by owners of the project. Save your own copy under another name.',
  )
}

/** People who may no longer share views may still take back their own. */
function canChange({ owner, isShared }: StoredView, { personId, role }: PersonCaller): boolean {
  return owner === personId || (isShared && isAtLeast(role, 'owner'))
}

async function named({ control }: ControlParts, view: StoredView, person: PersonCaller): Promise<SavedView> {
  return viewOf(view, person, await control.accounts.names([view.owner]))
}

function viewOf(view: StoredView, person: PersonCaller, names: ReadonlyMap<string, string>): SavedView {
  const { owner, ...rest } = view
  return { ...rest, ownerId: owner, owner: names.get(owner) ?? owner, canChange: canChange(view, person) }
}

/** What would be refused when the view is opened is refused when it is saved. */
function checkedSearch(search: ViewSearch): ViewSearch {
  logFilter({ query: search.query, environment: search.environment })
  for (const path of ['from', 'to'] as const) {
    const text = search[path]
    const parsed = text === undefined ? undefined : parseTime(text)
    if (!parsed || parsed.ok) continue
    const { message } = parsed.error
    throw new AppError('invalid_request', message, { fields: [{ path: `search.${path}`, message }] })
  }
  return search
}

/** The same words for one that does not exist and for somebody else's own. */
function unknownView(): AppError {
  return new AppError('not_found', 'No view of yours and no shared one has that id. List the views to find one.')
}
