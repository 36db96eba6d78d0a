/** The reading part of the OpenAPI document, made from the schemas that parse the requests. */
import { analysesAnswer, analysesInput, analysisAnswer, analysisInput } from '@tidemark/wire/analyses/analysis'
import { deployAnalysis, deployVerdict } from '@tidemark/wire/deploys/verdict'
import { change, changesAnswer, changesInput } from '@tidemark/wire/reading/changes'
import { compareAnswer, compareInput } from '@tidemark/wire/reading/compare'
import { contextAnswer, contextInput } from '@tidemark/wire/reading/context'
import { countAnswer, countInput } from '@tidemark/wire/reading/count'
import {
  deployDetailAnswer,
  deployDetailInput,
  deploysAnswer,
  deploysInput,
  listedDeploy,
} from '@tidemark/wire/reading/deploys'
import { fieldsAnswer, fieldsInput } from '@tidemark/wire/reading/fields'
import { overviewAnswer, overviewInput } from '@tidemark/wire/reading/overview'
import { patternsAnswer, patternsInput } from '@tidemark/wire/reading/patterns'
import { projectAnswer } from '@tidemark/wire/reading/project'
import { filterInput } from '@tidemark/wire/reading/question'
import { searchAnswer, searchInput } from '@tidemark/wire/reading/search'
import { z } from 'zod'
import { errors, jsonContent, parametersOf } from './operation.ts'

const READ_KEY = [{ bearer: [] }]
/** What every reading path can answer besides its own. */
const REFUSALS = [
  'invalid_request',
  'unauthorized',
  'query_too_large',
  'rate_limited',
  'engine_restarting',
  'query_timeout',
] as const

export const readingSchemas = {
  Overview: overviewAnswer,
  Search: searchAnswer,
  Count: countAnswer,
  Patterns: patternsAnswer,
  Comparison: compareAnswer,
  Fields: fieldsAnswer,
  Context: contextAnswer,
  Verdict: deployVerdict,
  DeployAnalysis: deployAnalysis,
  ListedDeploy: listedDeploy,
  Deploys: deploysAnswer,
  DeployDetail: deployDetailAnswer,
  Analyses: analysesAnswer,
  Analysis: analysisAnswer,
  Change: change,
  Changes: changesAnswer,
  Project: projectAnswer,
}

export const readingPaths = {
  '/api/project': get('The project of the key', {}, 'Project'),
  '/api/overview': get(
    'What is wrong now: levels and services against the time before, analyses that are new, came back or spiked, the latest deploys with verdicts, services that fell silent',
    overviewInput.shape,
    'Overview',
  ),
  '/api/logs': get('Search records; deploys stand between them at their time', searchInput.shape, 'Search'),
  '/api/logs/count': get('Count records, by time and by up to three fields', countInput.shape, 'Count'),
  '/api/logs/patterns': get(
    'Patterns of the messages of a search, counted over all its records; against another window or a deploy, which are new, grown, gone or shrunk',
    patternsInput.shape,
    'Patterns',
  ),
  '/api/logs/compare': get(
    'In what two windows differ, or the time after a deploy and before it: values and patterns that appeared, vanished, grew or shrank, the most telling first',
    compareInput.shape,
    'Comparison',
  ),
  '/api/logs/fields': get('Fields with their coverage, or the values of one', fieldsInput.shape, 'Fields'),
  '/api/logs/{id}/context': get('The whole record and what happened around it', contextInput.shape, 'Context'),
  '/api/logs/export': get(
    'All records of a search, as NDJSON or CSV. `X-Tidemark-Records` is their number, `X-Tidemark-Left-Out` the number beyond the limit of a million. In CSV an apostrophe precedes each text that a spreadsheet would run as a formula, also after `;`, a tab or a line break; `tidemark import` takes it off',
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
  '/api/changes': get(
    'What changed before a moment (`at`, or now) or before the errors of an analysis, the most likely first',
    changesInput.shape,
    'Changes',
  ),
  '/api/deploys': get('Deploys of every status, newest first, each with its verdict', deploysInput.shape, 'Deploys'),
  '/api/deploys/{id}': get(
    'One deploy, the one before it, its verdict, the analyses in its time and the commits between; `latest` as the id is the newest that succeeded, in `environment` if that is given',
    deployDetailInput.shape,
    'DeployDetail',
  ),
}

function get(summary: string, input: z.ZodRawShape, answer?: keyof typeof readingSchemas) {
  const refusals = errors(...REFUSALS, ...(Object.hasOwn(input, 'id') ? (['not_found'] as const) : []))
  return {
    get: {
      summary,
      security: READ_KEY,
      parameters: parametersOf(input),
      responses: { 200: { description: 'The answer.', ...(answer && jsonContent(answer)) }, ...refusals },
    },
  }
}
