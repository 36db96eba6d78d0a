/** What people note about an analysis. Each answers with the whole analysis, as it is then. */
import { assigneeInput, commentInput, ticketInput } from '@tidemark/wire/analyses/notes'
import type { People } from '../../verbs/open-people.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import { parseBody } from './body.ts'
import type { MemberCall, PeopleDoor } from './door.ts'

type Parts = { people: People; reading: Pick<Reading, 'getAnalysis'> }

export function peopleNoteRoutes(door: PeopleDoor, { people, reading }: Parts): void {
  const named = ({ caller, params }: MemberCall) => ({ project: caller.project.id, id: params.analysisId ?? '' })
  const placed = ({ caller, params }: MemberCall) => ({
    project: caller.project.id,
    analysisId: params.analysisId ?? '',
    commentId: params.commentId ?? '',
  })
  const answer = ({ caller, params }: MemberCall) => reading.getAnalysis(caller, { id: params.analysisId ?? '' })

  door.member('PUT', '/analyses/:analysisId/assignee', async (call) => {
    const { personId } = parseBody(assigneeInput, call.body)
    const { project, id } = named(call)
    await people.assignAnalyses(call.caller, { project, ids: [id], personId })
    return answer(call)
  })
  door.member('PUT', '/analyses/:analysisId/ticket', async (call) => {
    await people.linkTicket(call.caller, { ...named(call), ...parseBody(ticketInput, call.body) })
    return answer(call)
  })
  door.member('POST', '/analyses/:analysisId/comments', async (call) => {
    await people.addComment(call.caller, { ...named(call), ...parseBody(commentInput, call.body) })
    call.reply.code(201)
    return answer(call)
  })
  door.member('PATCH', '/analyses/:analysisId/comments/:commentId', async (call) => {
    await people.editComment(call.caller, { ...placed(call), ...parseBody(commentInput, call.body) })
    return answer(call)
  })
  door.member('DELETE', '/analyses/:analysisId/comments/:commentId', async (call) => {
    await people.deleteComment(call.caller, placed(call))
    return answer(call)
  })
}
