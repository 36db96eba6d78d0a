/** What people noted about analyses, with their names. */
import type { BriefNotes, Discussion } from '@tidemark/wire/analyses/notes'
import type { Analysis } from '../../model/analysis.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'

type NotesParts = Pick<ReadingParts, 'control'>

/** Null when nobody noted anything. */
export async function discussionOf({ control }: NotesParts, { projectId, id }: Analysis): Promise<Discussion | null> {
  const { assignee, ticket, comments } = await control.analysisNotes.get(projectId, id)
  if (assignee === null && ticket === null && comments.length === 0) return null
  const people = [assignee?.personId, assignee?.by, ticket?.by, ...comments.map(({ author }) => author)]
  const names = await control.accounts.names([...new Set(people.filter((one) => one !== undefined))])
  const nameOf = (person: string) => names.get(person) ?? person
  return {
    assignee: assignee && { ...assignee, name: nameOf(assignee.personId), by: nameOf(assignee.by) },
    ticket: ticket && { ...ticket, by: nameOf(ticket.by) },
    comments: comments.map(({ author, ...comment }) => ({ ...comment, authorId: author, author: nameOf(author) })),
  }
}

/** As a list tells it. */
export function inBrief(discussion: Discussion | null): BriefNotes | null {
  if (discussion === null) return null
  const { assignee, ticket, comments } = discussion
  return { assignee: assignee?.name ?? null, ticket: ticket?.url ?? null, comments: comments.length }
}

/** Of those that have any. */
export async function briefNotesOf(
  { control }: NotesParts,
  projectId: ProjectId,
  analyses: readonly Analysis[],
): Promise<Map<string, BriefNotes>> {
  const found = await control.analysisNotes.of(
    projectId,
    analyses.map(({ id }) => id),
  )
  const people = [...found.values()].flatMap(({ assignee }) => assignee ?? [])
  const names = await control.accounts.names([...new Set(people)])
  return new Map(
    [...found].map(([id, { assignee, ...notes }]) => [
      id,
      { ...notes, assignee: assignee && (names.get(assignee) ?? assignee) },
    ]),
  )
}
