/** What people do with analyses, in the OpenAPI document. Reading them is with the other questions. */
import {
  changeAnalysisInput,
  groupingRule,
  groupingRuleInput,
  groupingRulesAnswer,
} from '@tidemark/wire/analyses/analysis'
import { errors, jsonContent } from './operation.ts'

const SESSION = [{ session: [] }]
const REFUSALS = errors('invalid_request', 'unauthorized', 'forbidden', 'not_found', 'conflict')

export const analysisSchemas = {
  AnalysisChange: changeAnalysisInput,
  GroupingRule: groupingRule,
  GroupingRules: groupingRulesAnswer,
  NewGroupingRule: groupingRuleInput,
}
/** `Analysis` is with what is read. */
type SchemaName = keyof typeof analysisSchemas | 'Analysis'

const PROJECT = ['projectId']

export const analysisPaths = {
  '/api/projects/{projectId}/analyses/{analysisId}/state': {
    post: operation('Resolve, ignore or reopen an analysis', {
      description: 'For members and owners. An error after a resolve brings the analysis back as `regressed`.',
      path: [...PROJECT, 'analysisId'],
      body: 'AnalysisChange',
      answer: [200, 'Analysis'],
    }),
  },
  '/api/projects/{projectId}/grouping-rules': {
    get: operation('How errors are grouped otherwise', {
      description: 'For owners.',
      path: PROJECT,
      answer: [200, 'GroupingRules'],
    }),
    post: operation('Merge, split or ignore errors', {
      description:
        'For owners. The rule holds for errors from now on; a merge and an ignore bring existing analyses along.',
      path: PROJECT,
      body: 'NewGroupingRule',
      answer: [201, 'GroupingRule'],
    }),
  },
  '/api/projects/{projectId}/grouping-rules/{ruleId}': {
    delete: operation('Remove a grouping rule', {
      description: 'For owners. What it did to errors that came in before stays.',
      path: [...PROJECT, 'ruleId'],
      answer: [204],
    }),
  },
}

type About = { description: string; path: string[]; body?: SchemaName; answer: [number, SchemaName?] }

function operation(summary: string, { description, path, body, answer: [status, schema] }: About) {
  return {
    summary,
    description: `${description} With the session of a person, and the header \`X-Requested-With: tidemark\` for changes.`,
    security: SESSION,
    parameters: path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(body && { requestBody: { required: true, ...jsonContent(body) } }),
    responses: { [status]: { description: 'Done.', ...(schema && jsonContent(schema)) }, ...REFUSALS },
  }
}
