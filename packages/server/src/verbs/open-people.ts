/** What people can ask and do, put together for the door they come through. */
import type { ChangeMeInput, SessionAnswer } from '@tidemark/wire/account'
import type { ChangeProjectInput } from '@tidemark/wire/project'
import type { Control } from '../control/open.ts'
import type { LogStore } from '../logstore/log-store.ts'
import type { Session } from '../model/person.ts'
import { acceptInvitation, previewInvitation } from './accept-invitation.ts'
import { addGroupingRule } from './add-grouping-rule.ts'
import { changeAnalysis } from './change-analysis.ts'
import { changeMe } from './change-me.ts'
import { changeMember } from './change-member.ts'
import { changeProject } from './change-project.ts'
import { createKey } from './create-key.ts'
import { deleteProject } from './delete-project.ts'
import { firstSigns } from './first-signs.ts'
import { getDeploy } from './get-deploy.ts'
import { inviteMember, listInvitations, revokeInvitation } from './invite-member.ts'
import { listInstanceAudit, listProjectAudit } from './list-audit.ts'
import { listGroupingRules } from './list-grouping-rules.ts'
import { listKeys } from './list-keys.ts'
import { listMembers } from './list-members.ts'
import { createMyProject, describeSession, listMyProjects } from './my-projects.ts'
import { previewRedaction } from './preview-redaction.ts'
import { previewRetention } from './preview-retention.ts'
import { removeGroupingRule } from './remove-grouping-rule.ts'
import { removeMember } from './remove-member.ts'
import { renameProject } from './rename-project.ts'
import { type PersonCaller, requireMember, requirePerson } from './require-person.ts'
import { revokeKey } from './revoke-key.ts'
import { showProject } from './show-project.ts'
import { type SignInPlace, signIn, signInByOwnerLink } from './sign-in.ts'

export type PeopleOptions = {
  control: Control
  logStore: Pick<LogStore, 'project'>
  publicUrl: string
  /** Where programs send to and agents ask. */
  addresses: SessionAnswer['addresses']
  /** Of projects that people make. */
  retentionDays: number
  now?: () => number
}

export type People = ReturnType<typeof openPeople>

export function openPeople({ control, logStore, publicUrl, addresses, retentionDays, now = Date.now }: PeopleOptions) {
  const session = (token: string | undefined): Promise<Session> => requirePerson(control, token, now())

  async function changeSettings(caller: PersonCaller, { name, ...changes }: ChangeProjectInput) {
    const project = caller.project.id
    // First what is checked most: a bad setting then leaves the name as it was.
    if (Object.keys(changes).length > 0 || name === undefined)
      await changeProject(control)(caller, { project, changes })
    if (name !== undefined) await renameProject(control)(caller, { project, name })
    const changed = await control.projects.get(project)
    return showProject(control, { ...caller, project: changed ?? caller.project }, now())
  }

  return {
    session,
    member: (signedIn: Session, projectId: string): Promise<PersonCaller> =>
      requireMember(control, signedIn, projectId),
    describeSession: async (token: string): Promise<SessionAnswer> =>
      describeSession(control, addresses, await session(token)),
    signIn: (input: { email: string; password: string }, place: SignInPlace) => signIn(control, input, place, now()),
    signInByOwnerLink: (input: { token: string }, place: SignInPlace) =>
      signInByOwnerLink(control, input, place, now()),
    signOut: (token: string) => control.sessions.close(token, now()),
    changeMe: (signedIn: Session, input: ChangeMeInput, place: { token: string; address: string }) =>
      changeMe(control, signedIn, input, place, now()),
    previewInvitation: (input: { token: string }, address: string) => previewInvitation(control, input, address, now()),
    acceptInvitation: (signedIn: Session | null, input: Parameters<typeof acceptInvitation>[2], place: SignInPlace) =>
      acceptInvitation(control, signedIn, input, place, now()),
    listMyProjects: (signedIn: Session) => listMyProjects(control, signedIn),
    createMyProject: (signedIn: Session, input: { name: string }) =>
      createMyProject(control, { retentionDays }, signedIn, input, now()),
    listInstanceAudit: (signedIn: Session, page: Parameters<typeof listInstanceAudit>[2]) =>
      listInstanceAudit(control, signedIn, page),
    showProject: (caller: PersonCaller) => showProject(control, caller, now()),
    changeSettings,
    deleteProject: deleteProject(control),
    previewRedaction: previewRedaction(control),
    previewRetention: (caller: PersonCaller, input: { project: string; retentionDays: number }, signal?: AbortSignal) =>
      previewRetention({ control, logStore }, caller, input, now(), signal),
    firstSigns: (caller: PersonCaller, signal?: AbortSignal) =>
      firstSigns({ control, logStore }, caller, now(), signal),
    getDeploy: (caller: PersonCaller, input: { id: string }) => getDeploy({ control, publicUrl }, caller, input),
    changeAnalysis: changeAnalysis(control, now),
    listGroupingRules: listGroupingRules(control),
    addGroupingRule: addGroupingRule(control, now),
    removeGroupingRule: removeGroupingRule(control, now),
    listKeys: listKeys(control),
    createKey: createKey(control),
    revokeKey: revokeKey(control),
    listMembers: listMembers(control),
    changeMember: changeMember(control),
    removeMember: removeMember(control),
    listInvitations: listInvitations(control),
    inviteMember: inviteMember(control, { publicUrl }),
    revokeInvitation: revokeInvitation(control),
    listProjectAudit: listProjectAudit(control),
  }
}
