/** What people do with analyses, in the OpenAPI document. Reading them stands with the other questions. */
import { changeAnalysisInput, groupingRule, groupingRuleInput, groupingRulesAnswer } from '@tidemark/wire/analysis'
import { z } from 'zod'

const SESSION = [{ session: [] }]
const REFUSALS = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
}

export const analysisSchemas = {
  AnalysisChange: schemaOf(changeAnalysisInput),
  GroupingRule: schemaOf(groupingRule),
  GroupingRules: schemaOf(groupingRulesAnswer),
  NewGroupingRule: schemaOf(groupingRuleInput),
}
/** `Analysis` stands with what is read. */
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
  const refused = Object.entries(REFUSALS).map(([code, name]) => [
    code,
    { description: `\`${name}\``, content: contentOf('Error') },
  ])
  const parameters = path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  return {
    summary,
    description: `${description} With the session of a person, and the header \`X-Requested-With: tidemark\` for changes.`,
    security: SESSION,
    parameters,
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      [status]: { description: 'Done.', ...(schema && { content: contentOf(schema) }) },
      ...Object.fromEntries(refused),
    },
  }
}

function contentOf(schema: string) {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
  return json
}
