/** What a signed-in person sees first: who they are and which projects are theirs. */
import { MAX_OWNED_PROJECTS } from '@tidemark/wire/limits'
import type { SessionAnswer } from '@tidemark/wire/people/account'
import { isAtLeast, isInstanceOwner, KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import type { CreatedProjectAnswer, ProjectSummary } from '@tidemark/wire/project'
import type { Access } from '../../control/accounts/members.ts'
import { AppError } from '../../errors.ts'
import type { Person, Session } from '../../model/person.ts'
import { type ControlParts, requirePerson } from '../access.ts'
import { makeProject, type NewProjectParts } from '../projects/project.ts'
import { needsCurrentPassword } from './change-me.ts'

type DescribeParts = ControlParts & {
  /** Where programs send to and agents ask. */
  addresses: SessionAnswer['addresses']
}

/** By token, because it also serves people who have just signed in or changed their account. */
export async function describeSession(parts: DescribeParts, token: string): Promise<SessionAnswer> {
  const session = await requirePerson(parts, token)
  const { id, email, name, role, hasPassword } = session.person
  const projects = await parts.control.members.projectsOf(session.person)
  return {
    person: { id, email, name, role, hasPassword },
    projects: projects.map(toSummary),
    canCreateProjects: mayCreate(session.person, projects),
    needsCurrentPassword: needsCurrentPassword(session),
    addresses: parts.addresses,
  }
}

export async function listMyProjects({ control }: ControlParts, { person }: Session): Promise<ProjectSummary[]> {
  return (await control.members.projectsOf(person)).map(toSummary)
}

/** The person becomes its owner. The answer is the only time the two secrets are known. */
export async function createMyProject(
  parts: NewProjectParts,
  { person }: Session,
  { name }: { name: string },
): Promise<CreatedProjectAnswer> {
  const { members } = parts.control
  const projects = await members.projectsOf(person)
  if (!mayCreate(person, projects)) {
    throw new AppError('forbidden', 'Only owners and members can create projects: ask an owner of this instance.')
  }
  const owned = projects.filter(({ role }) => role === 'owner').length
  if (!isInstanceOwner(person) && owned >= MAX_OWNED_PROJECTS) {
    throw new AppError(
      'conflict',
      `A person can own at most ${MAX_OWNED_PROJECTS} projects. Delete a project that you do not need any more in its Settings, or ask an owner of this instance to create this one.`,
    )
  }
  const change = { by: person.id, nowMs: parts.now() }
  const { project, ingestKey, readKey } = await makeProject(parts, name, change)
  if (!isInstanceOwner(person)) await members.add(project.id, person.id, 'owner', change)
  const { id, createdAt } = project
  return { project: { id, name: project.name, createdAt, role: 'owner' }, ingestKey, readKey }
}

/** A new project comes with its keys, which somebody who is a viewer everywhere never sees. */
function mayCreate(person: Person, projects: readonly Access[]): boolean {
  return isInstanceOwner(person) || projects.some(({ role }) => isAtLeast(role, KEY_MAKER_ROLE))
}

function toSummary({ project: { id, name, createdAt }, role }: Access): ProjectSummary {
  return { id, name, createdAt, role }
}
