/**
 * The JSON of every door except the log door. Nothing in it is dropped or changed silently: keys that careless code
 * would treat as a prototype, and numbers that reading would change, are reported by their paths.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertUtf8 } from '../../bytes/assert-utf8.ts'
import { AppError, type FieldError, invalidFields } from '../../errors.ts'
import { jsonProblems } from './json-problems.ts'

/** `problems`: what in the body cannot be taken as it was written. */
export type JsonBody = { body: unknown; problems: FieldError[] }

/** `application/json` only, and whole: with a problem anywhere it is refused. */
export function takeJsonBodies(scope: FastifyInstance): void {
  takeJson(scope, (bytes, contentEncoding) => {
    const { body, problems } = readJsonBody(bytes, contentEncoding)
    if (problems.length === 0) return body
    throw invalidFields('The request is not valid:', problems)
  })
}

/** The same for a door that ignores what it does not know: it decides itself which problems concern it. */
export function takeJsonBodiesWithProblems(scope: FastifyInstance): void {
  takeJson(scope, readJsonBody)
}

function takeJson(scope: FastifyInstance, read: (bytes: Buffer, contentEncoding: string | undefined) => unknown): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, bytes: Buffer) =>
      // Many clients name the type on all their requests, even on those that have no body.
      bytes.length === 0 ? undefined : read(bytes, headers['content-encoding']),
  )
}

export function readJsonBody(bytes: Buffer, contentEncoding = 'identity'): JsonBody {
  if (contentEncoding.trim().toLowerCase() !== 'identity')
    throw new AppError(
      'unsupported_media_type',
      'Compressed bodies are not accepted here: send plain JSON without a Content-Encoding.',
    )
  assertUtf8(bytes)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  return { body: parse(text), problems: jsonProblems(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not valid JSON. Send one JSON object.', { cause })
  }
}
