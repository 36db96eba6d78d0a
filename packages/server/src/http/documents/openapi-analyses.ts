/** What people do with analyses, in the OpenAPI document. Reading them is with the other questions. */
import {
  changeAnalysisInput,
  groupingRule,
  groupingRuleInput,
  groupingRulesAnswer,
  removedGroupingRule,
  removeGroupingRuleInput,
} from '@tidemark/wire/analyses/analysis'
import { type AboutPeople, jsonContent, parametersOf, peopleOperation } from './operation.ts'

export const analysisSchemas = {
  AnalysisChange: changeAnalysisInput,
  GroupingRule: groupingRule,
  GroupingRules: groupingRulesAnswer,
  NewGroupingRule: groupingRuleInput,
  RemovedGroupingRule: removedGroupingRule,
}
/** `Analysis` is with what is read. */
type SchemaName = keyof typeof analysisSchemas | 'Analysis'

const PROJECT = ['projectId']
const operation = (summary: string, about: AboutPeople<SchemaName>) => peopleOperation(summary, about)

const { parameters, responses, ...removing } = operation('Remove a grouping rule', {
  description:
    'For owners. What it did to errors that came in before stays. With `restore=true`, what it made ignored has the state again that it had before, but for what somebody has changed since and what another rule ignores too.',
  path: [...PROJECT, 'ruleId'],
  answer: [204],
})
const removal = {
  ...removing,
  parameters: [...parameters, ...parametersOf(removeGroupingRuleInput.shape)],
  responses: {
    200: { description: 'Done, with `restore=true`.', ...jsonContent('RemovedGroupingRule') },
    ...responses,
  },
}

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
    delete: removal,
  },
}
