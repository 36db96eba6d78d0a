/** Saved views of the logs page, in the OpenAPI document. */
import { changeViewInput, newViewInput, viewAnswer, viewsAnswer } from '@tidemark/wire/dashboard/view'
import { type AboutPeople, peopleOperation } from './operation.ts'

export const viewSchemas = {
  View: viewAnswer,
  Views: viewsAnswer,
  NewView: newViewInput,
  ViewChange: changeViewInput,
}

const PROJECT = ['projectId']
const operation = (summary: string, about: AboutPeople<keyof typeof viewSchemas>) => peopleOperation(summary, about)

export const viewPaths = {
  '/api/projects/{projectId}/views': {
    get: operation('Saved views of the logs', {
      description: 'Your own and the shared ones, by name.',
      path: PROJECT,
      answer: [200, 'Views'],
    }),
    post: operation('Save a view', {
      description: 'For yourself; with `isShared`, which is for members and owners, for everybody in the project.',
      path: PROJECT,
      body: 'NewView',
      answer: [201, 'View'],
    }),
  },
  '/api/projects/{projectId}/views/{viewId}': {
    patch: operation('Change a view', {
      description: 'Your own, and as an owner of the project every shared one. What is left out stays.',
      path: [...PROJECT, 'viewId'],
      body: 'ViewChange',
      answer: [200, 'View'],
    }),
    delete: operation('Delete a view', {
      description: 'Your own, and as an owner of the project every shared one.',
      path: [...PROJECT, 'viewId'],
      answer: [204],
    }),
  },
}
