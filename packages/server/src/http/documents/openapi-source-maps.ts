/** Source maps, in the OpenAPI document. */

import { MAX_SOURCE_MAP_BYTES } from '@tidemark/wire/limits'
import {
  deletedSourceMapsAnswer,
  deleteSourceMapsInput,
  sourceMapAnswer,
  sourceMapFilesAnswer,
  sourceMapFilesInput,
  sourceMapInput,
  sourceMapReleasesAnswer,
  sourceMapReleasesInput,
} from '@tidemark/wire/source-maps'
import { sizeWords } from '@tidemark/wire/text/size-words'
import type { z } from 'zod'
import { type AboutPeople, errors, jsonContent, parametersOf, peopleOperation } from './operation.ts'

export const sourceMapSchemas = {
  SourceMap: sourceMapAnswer,
  SourceMapReleases: sourceMapReleasesAnswer,
  SourceMapFiles: sourceMapFilesAnswer,
  DeletedSourceMaps: deletedSourceMapsAnswer,
}

function operation(
  summary: string,
  about: Omit<AboutPeople<keyof typeof sourceMapSchemas>, 'path'> & { query: z.ZodRawShape },
) {
  const { parameters, ...rest } = peopleOperation(summary, { ...about, path: ['projectId'] })
  return { ...rest, parameters: [...parameters, ...required(about.query)] }
}

/** What has no default must be given. */
function required(query: z.ZodRawShape): object[] {
  return parametersOf(query).map((one) => ({
    ...one,
    required: !(query[(one as { name: string }).name] as z.ZodType).safeParse(undefined).success,
  }))
}

export const sourceMapPaths = {
  '/v1/sourcemaps': {
    put: {
      summary: 'Send a source map',
      description: `Of one generated file of a release, before it is deployed: the content of the .map file in at most ${sizeWords(MAX_SOURCE_MAP_BYTES)}, which may be compressed with gzip, deflate or br. The same map again changes nothing, another one replaces it.`,
      security: [{ bearer: [] }, { apiKey: [] }, { basic: [] }],
      parameters: required(sourceMapInput.shape),
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        200: { description: 'Replaced, or already there.', ...jsonContent('SourceMap') },
        201: { description: 'Created.', ...jsonContent('SourceMap') },
        ...errors(
          'invalid_request',
          'unauthorized',
          'forbidden',
          'conflict',
          'body_too_large',
          'unsupported_media_type',
          'rate_limited',
          'unavailable',
        ),
      },
    },
  },
  '/api/projects/{projectId}/sourcemaps': {
    get: operation('Releases with source maps', {
      description: 'By name, a page at a time: `nextAfter` is the `after` of the next one.',
      query: sourceMapReleasesInput.shape,
      answer: [200, 'SourceMapReleases'],
    }),
    delete: operation('Delete the source maps of a release', {
      description: 'For owners of the project. Analyses keep what was read by them.',
      query: deleteSourceMapsInput.shape,
      answer: [200, 'DeletedSourceMaps'],
    }),
  },
  '/api/projects/{projectId}/sourcemaps/files': {
    get: operation('Files of a release with source maps', {
      description: 'By name, a page at a time.',
      query: sourceMapFilesInput.shape,
      answer: [200, 'SourceMapFiles'],
    }),
  },
}
