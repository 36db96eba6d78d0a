/** People note who looks after an analysis, its ticket, and what they think. For members and owners; never for a key. */

import { MAX_COMMENT_CHARACTERS } from '@tidemark/wire/limits'
import { isAtLeast } from '@tidemark/wire/people/role'
import { withCommas } from '@tidemark/wire/text/counted'
import type { CommentPlace } from '../../control/analyses/notes.ts'
import { type AppError, invalidFields } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { hasCredentials, httpAddress, WITH_CREDENTIALS } from '../../model/http-address.ts'
import type { ProjectId } from '../../model/project.ts'
import { isStorable, NOT_STORABLE } from '../../model/storable-text.ts'
import { type ControlParts, changeBy, requireManager } from '../access.ts'

type Named = { project: string; id: string }

/** An assignee must be a member of the project. */
export async function assignAnalyses(
  parts: ControlParts,
  caller: Caller,
  { project, ids, personId }: { project: string; ids: readonly string[]; personId: string | null },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'member' })
  if (personId !== null) await requireAssignable(parts, projectId, personId)
  await parts.control.analysisNotes.assign(projectId, ids, personId, changeBy(parts, caller))
}

export async function linkTicket(
  parts: ControlParts,
  caller: Caller,
  { project, id, url }: Named & { url: string | null },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'member' })
  const ticket = url === null ? null : checkedTicket(url.trim())
  await parts.control.analysisNotes.link(projectId, id, ticket, changeBy(parts, caller))
}

export async function addComment(
  parts: ControlParts,
  caller: Caller,
  { project, id, text }: Named & { text: string },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'member' })
  await parts.control.analysisNotes.comment(projectId, id, checkedComment(text), changeBy(parts, caller))
}

export async function editComment(
  parts: ControlParts,
  caller: Caller,
  { project, text, ...place }: { project: string; text: string } & CommentPlace,
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'member' })
  await parts.control.analysisNotes.editComment(projectId, place, checkedComment(text), changeBy(parts, caller))
}

/** Its author, and an owner of the project. */
export async function deleteComment(
  parts: ControlParts,
  caller: Caller,
  { project, ...place }: { project: string } & CommentPlace,
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'member' })
  const isAnyones = caller.kind !== 'person' || isAtLeast(caller.role, 'owner')
  await parts.control.analysisNotes.deleteComment(projectId, place, isAnyones, changeBy(parts, caller))
}

async function requireAssignable({ control }: ControlParts, projectId: ProjectId, personId: string): Promise<void> {
  const members = await control.members.list(projectId)
  if (members.some((member) => member.personId === personId)) return
  throw refusal('personId', 'is not a member of this project: choose one who is')
}

/** Over https alone: it is followed from a page that people are signed in to. */
function checkedTicket(url: string): string {
  const parsed = httpAddress(url)
  if (parsed?.protocol !== 'https:')
    throw refusal('url', 'must be an https address, such as https://tickets.example/42')
  if (hasCredentials(parsed)) throw refusal('url', WITH_CREDENTIALS)
  return parsed.href
}

function checkedComment(text: string): string {
  const comment = text.replaceAll('\r\n', '\n').trim()
  if (comment === '') throw refusal('text', 'is empty: write something')
  if (comment.length > MAX_COMMENT_CHARACTERS)
    throw refusal('text', `is too long: at most ${withCommas(MAX_COMMENT_CHARACTERS)} characters`)
  if (!isStorable(comment)) throw refusal('text', `${NOT_STORABLE}: remove it`)
  return comment
}

function refusal(path: string, message: string): AppError {
  return invalidFields('The request is not valid:', [{ path, message }])
}
