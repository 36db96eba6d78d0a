/** What people can ask and do, assembled for the door they come through. */
import type { SessionAnswer } from '@tidemark/wire/people/account'
import type { LogStore } from '../logstore/log-store.ts'
import type { RedactionThreads } from '../redaction/redact-in-thread.ts'
import { requireMember, requirePerson } from './access.ts'
import { changeAnalyses, changeAnalysis } from './analyses/change-analysis.ts'
import { addGroupingRule, listGroupingRules, previewIgnoring, removeGroupingRule } from './analyses/grouping-rules.ts'
import { addComment, assignAnalyses, deleteComment, editComment, linkTicket } from './analyses/note-analysis.ts'
import { bindAll } from './bind-all.ts'
import { acceptInvitation, previewInvitation } from './people/accept-invitation.ts'
import { changeMe } from './people/change-me.ts'
import { listInstanceAudit, listProjectAudit } from './people/list-audit.ts'
import {
  changeMember,
  inviteMember,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
} from './people/members.ts'
import { createMyProject, describeSession, listMyProjects } from './people/my-projects.ts'
import { createPasswordReset, previewPasswordReset, resetPassword } from './people/password-reset.ts'
import { signIn, signInByOwnerLink, signOut } from './people/sign-in.ts'
import { listCalls, sumCallsByKey } from './projects/calls.ts'
import { ingestHealth } from './projects/ingest-health.ts'
import { createKey, type KeyParts, listKeys, revokeKey } from './projects/keys.ts'
import { previewRedaction, previewRetention } from './projects/previews.ts'
import { changeSettings, deleteProject, showProject } from './projects/project.ts'
import { firstArrivals } from './reading/first-arrivals.ts'
import { deleteSourceMaps, listSourceMapFiles, listSourceMaps } from './source-maps.ts'
import { changeView, deleteView, listViews, saveView } from './views.ts'

type PeopleParts = KeyParts & {
  logStore: Pick<LogStore, 'project'>
  redaction: RedactionThreads
  publicUrl: string
  /** Where programs send to and agents ask. */
  addresses: SessionAnswer['addresses']
  /** For projects that people create. */
  retentionDays: number
}

export type People = ReturnType<typeof openPeople>

export function openPeople(parts: PeopleParts) {
  return bindAll(parts, {
    requirePerson,
    requireMember,
    describeSession,
    signIn,
    signInByOwnerLink,
    signOut,
    changeMe,
    previewInvitation,
    acceptInvitation,
    createPasswordReset,
    previewPasswordReset,
    resetPassword,
    listMyProjects,
    createMyProject,
    showProject,
    changeSettings,
    deleteProject,
    previewRedaction,
    previewRetention,
    firstArrivals,
    changeAnalysis,
    changeAnalyses,
    assignAnalyses,
    linkTicket,
    addComment,
    editComment,
    deleteComment,
    previewIgnoring,
    listGroupingRules,
    addGroupingRule,
    removeGroupingRule,
    listViews,
    saveView,
    changeView,
    deleteView,
    listSourceMaps,
    listSourceMapFiles,
    deleteSourceMaps,
    listKeys,
    createKey,
    revokeKey,
    ingestHealth,
    listCalls,
    sumCallsByKey,
    listMembers,
    changeMember,
    removeMember,
    listInvitations,
    inviteMember,
    revokeInvitation,
    listProjectAudit,
    listInstanceAudit,
  })
}
