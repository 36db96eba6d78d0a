/** The reading part of the OpenAPI document, made from the very schemas that parse the requests. */
import { analysesAnswer, analysesInput, analysisAnswer, analysisInput } from '@tidemark/wire/analysis'
import {
  contextAnswer,
  contextInput,
  countAnswer,
  countInput,
  deploysAnswer,
  deploysInput,
  fieldsAnswer,
  fieldsInput,
  filterInput,
  projectAnswer,
  searchAnswer,
  searchInput,
} from '@tidemark/wire/reading'
import { z } from 'zod'

const READ_KEY = [{ bearer: [] }]
/** What every reading path can answer besides its own. */
const REFUSALS = {
  400: 'invalid_request',
  401: 'unauthorized',
  422: 'query_too_large',
  429: 'rate_limited',
  503: 'engine_restarting',
  504: 'query_timeout',
}

export const readingSchemas = {
  Search: schemaOf(searchAnswer),
  Count: schemaOf(countAnswer),
  Fields: schemaOf(fieldsAnswer),
  Context: schemaOf(contextAnswer),
  Deploys: schemaOf(deploysAnswer),
  Analyses: schemaOf(analysesAnswer),
  Analysis: schemaOf(analysisAnswer),
  Project: schemaOf(projectAnswer),
}

export const readingPaths = {
  '/api/project': get('The project of the key', {}, 'Project'),
  '/api/logs': get('Search records; deploys stand between them at their time', searchInput.shape, 'Search'),
  '/api/logs/count': get('Count records, by time and by up to three fields', countInput.shape, 'Count'),
  '/api/logs/fields': get('Fields with their coverage, or the values of one', fieldsInput.shape, 'Fields'),
  '/api/logs/{id}/context': get('The whole record and what happened around it', contextInput.shape, 'Context'),
  '/api/logs/export': get(
    'All records of a search, as NDJSON or CSV; `X-Tidemark-Records` says how many, `X-Tidemark-Left-Out` how many are beyond the limit of a million',
    {
      ...filterInput.shape,
      format: z.enum(['ndjson', 'csv']).optional(),
    },
  ),
  '/api/logs/tail': get(
    'Records as they become searchable, as server-sent events: `ready` once (a search from then on finds what came before), `logs` with `rows` and `dropped`, `end` with the `error`',
    filterInput.shape,
  ),
  '/api/analyses': get('Analyses that were seen in the window, ranked', analysesInput.shape, 'Analyses'),
  '/api/analyses/{id}': get('One analysis with its evidence', analysisInput.shape, 'Analysis'),
  '/api/deploys': get('Deploys of every status, newest first', deploysInput.shape, 'Deploys'),
}

function get(summary: string, input: z.ZodRawShape, answer?: keyof typeof readingSchemas) {
  const refused = Object.entries(REFUSALS).map(([status, code]) => [
    status,
    { description: `\`${code}\``, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ])
  const content = answer && { content: { 'application/json': { schema: { $ref: `#/components/schemas/${answer}` } } } }
  const parameters = Object.entries(input).map(([name, schema]) => ({
    name,
    in: name === 'id' ? 'path' : 'query',
    required: name === 'id',
    schema: schemaOf(schema as z.ZodType),
  }))
  return {
    get: {
      summary,
      security: READ_KEY,
      parameters,
      responses: { 200: { description: 'The answer.', ...content }, ...Object.fromEntries(refused) },
    },
  }
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
  return json
}
