/** Who changed what, newest first. */
import type { AuditAnswer, AuditInput } from '@tidemark/wire/people/account'
import { isInstanceOwner } from '@tidemark/wire/people/role'
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Session } from '../../model/person.ts'
import { type ControlParts, requireManager } from '../access.ts'

/** Of one project, for its owners. */
export async function listProjectAudit(
  parts: ControlParts,
  caller: Caller,
  { project, ...page }: AuditInput & { project: string },
): Promise<AuditAnswer> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  return entries(parts, page, id)
}

/** Of the whole instance, sign-ins included, for its owners. */
export async function listInstanceAudit(
  parts: ControlParts,
  { person }: Session,
  page: AuditInput,
): Promise<AuditAnswer> {
  if (!isInstanceOwner(person)) throw new AppError('forbidden', 'This is for owners of the instance: ask one of them.')
  return entries(parts, page)
}

async function entries(
  { control }: ControlParts,
  { before, limit = DEFAULT_LIMIT }: AuditInput,
  projectId?: string,
): Promise<AuditAnswer> {
  const filter = { ...(projectId && { projectId }), ...(before !== undefined && { beforeSeq: before }) }
  const found = await control.audit.list({ ...filter, limit: limit + 1 })
  const page = found.slice(0, limit)
  const names = await control.accounts.names([...new Set(page.map(({ by }) => by))])
  return {
    entries: page.map((entry) => ({ ...entry, byName: names.get(entry.by) ?? null })),
    nextBefore: found.length > limit ? (page.at(-1)?.seq ?? null) : null,
  }
}
