/** What people can ask and do, put together for the door they come through. */
import type { ChangeMeInput, SessionAnswer } from '@tidemark/wire/account'
import type { ChangeProjectInput } from '@tidemark/wire/project'
import type { Control } from '../control/open.ts'
import type { LogStore } from '../logstore/log-store.ts'
import type { Session } from '../model/person.ts'
import { addGroupingRule } from './analyses/add-grouping-rule.ts'
import { changeAnalysis } from './analyses/change-analysis.ts'
import { listGroupingRules } from './analyses/list-grouping-rules.ts'
import { removeGroupingRule } from './analyses/remove-grouping-rule.ts'
import { acceptInvitation, previewInvitation } from './people/accept-invitation.ts'
import { changeMe } from './people/change-me.ts'
import { changeMember } from './people/change-member.ts'
import { inviteMember, listInvitations, revokeInvitation } from './people/invite-member.ts'
import { listInstanceAudit, listProjectAudit } from './people/list-audit.ts'
import { listMembers } from './people/list-members.ts'
import { createMyProject, describeSession, listMyProjects } from './people/my-projects.ts'
import { removeMember } from './people/remove-member.ts'
import { type SignInPlace, signIn, signInByOwnerLink } from './people/sign-in.ts'
import { changeProject } from './projects/change-project.ts'
import { createKey } from './projects/create-key.ts'
import { deleteProject } from './projects/delete-project.ts'
import { listKeys } from './projects/list-keys.ts'
import { previewRedaction } from './projects/preview-redaction.ts'
import { previewRetention } from './projects/preview-retention.ts'
import { renameProject } from './projects/rename-project.ts'
import { revokeKey } from './projects/revoke-key.ts'
import { showProject } from './projects/show-project.ts'
import { firstSigns } from './reading/first-signs.ts'
import { getDeploy } from './reading/get-deploy.ts'
import { type PersonCaller, requireMember, requirePerson } from './require-person.ts'

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
