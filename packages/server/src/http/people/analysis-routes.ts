/** Analyses and how they are grouped, for people. Reading them is the same as with a read key. */
import {
  changeAnalysesInput,
  changeAnalysisInput,
  type GroupingRuleInput,
  groupingRuleInput,
  matchingAnalysesInput,
  removeGroupingRuleInput,
} from '@tidemark/wire/analyses/analysis'
import { AppError } from '../../errors.ts'
import type { People } from '../../verbs/open-people.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import { noParameters, parseInput } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

type Parts = { people: People; reading: Pick<Reading, 'getAnalysis' | 'matchingAnalyses'> }

export function peopleAnalysisRoutes(door: PeopleDoor, { people, reading }: Parts): void {
  door.member('POST', '/analyses/:analysisId/state', async ({ caller, params, body }) => {
    const { action } = parseBody(changeAnalysisInput, body)
    const id = params.analysisId ?? ''
    await people.changeAnalysis(caller, { project: caller.project.id, id, action })
    return reading.getAnalysis(caller, { id })
  })

  door.member('GET', '/analyses/matching', ({ caller, query }) =>
    reading.matchingAnalyses(caller, parseInput(matchingAnalysesInput, query)),
  )
  door.member('POST', '/analyses/changes', async ({ caller, body }) => {
    const { ids, action, personId } = parseBody(changeAnalysesInput, body)
    const project = caller.project.id
    if ((action === undefined) === (personId === undefined)) throw eitherOr()
    if (action !== undefined) await people.changeAnalyses(caller, { project, ids, action })
    if (personId !== undefined) await people.assignAnalyses(caller, { project, ids, personId })
    return { changed: new Set(ids).size }
  })

  door.member('POST', '/grouping-rules/preview', ({ caller, body }) => {
    const rule = parseBody(ignoringInput, body)
    return people.previewIgnoring(caller, { project: caller.project.id, rule })
  })
  door.member('GET', '/grouping-rules', ({ caller, query }) => {
    noParameters(query)
    return people.listGroupingRules(caller, { project: caller.project.id })
  })
  door.member('POST', '/grouping-rules', async ({ caller, body, reply }) => {
    const added = await people.addGroupingRule(caller, { project: caller.project.id, rule: parseRule(body) })
    reply.code(201)
    return added
  })
  door.member('DELETE', '/grouping-rules/:ruleId', async ({ caller, params, query }) => {
    const restore = parseInput(removeGroupingRuleInput, query).restore === 'true'
    const rule = { project: caller.project.id, id: params.ruleId ?? '', restore }
    const removed = await people.removeGroupingRule(caller, rule)
    return restore ? removed : undefined
  })
}

/** What a rule that ignores looks at, without the rule. */
const ignoringInput = groupingRuleInput.options[2].omit({ kind: true })

function eitherOr(): AppError {
  const message = 'must be given, or personId: one of the two'
  return new AppError('invalid_request', `The request is not valid: action ${message}.`, {
    fields: [{ path: 'action', message }],
  })
}

/** By its kind first, so that the other fields are checked against what that kind takes. */
function parseRule(body: unknown): GroupingRuleInput {
  const kind = typeof body === 'object' && body !== null && 'kind' in body ? body.kind : undefined
  const schema = groupingRuleInput.options.find((option) => option.shape.kind.value === kind)
  if (schema !== undefined) return parseBody(schema, body)
  const message = `must be one of ${groupingRuleInput.options.map((option) => option.shape.kind.value).join(', ')}`
  throw new AppError('invalid_request', `The request is not valid: kind ${message}.`, {
    fields: [{ path: 'kind', message }],
  })
}
