/** What a deploy event must look like. All bad fields are reported at once, so that a CI step is fixed in one go. */

import { DEPLOY_STATUSES, type DeployStatus } from '@tidemark/wire/deploys/deploy-status'
import { isObject } from '@tidemark/wire/is-object'
import {
  MAX_AHEAD_HOURS,
  MAX_AHEAD_US,
  MAX_DEPLOY_MESSAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_URL_CHARACTERS,
} from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { type FieldError, invalidFields } from '../../errors.ts'
import type { DeployInput } from '../../model/deploy.ts'
import { environmentProblem, type NameProblem } from '../../model/environment-name.ts'
import { hasCredentials, httpAddress, WITH_CREDENTIALS } from '../../model/http-address.ts'
import { parseRfc3339 } from '../../model/rfc3339.ts'
import { isStorable, NOT_STORABLE } from '../../model/storable-text.ts'

export const MAX_METADATA_BYTES = 16 * 1024
const MAX_METADATA_DEPTH = 16

/**
 * Unknown fields are ignored: CI systems like to send more. `problems` are those of the text the body was read from;
 * they only concern what is kept as it is, the metadata.
 */
export function parseDeployInput(
  body: Record<string, unknown>,
  nowMs: number,
  problems: readonly FieldError[] = [],
): DeployInput {
  const fields: FieldError[] = []
  const refuse = (path: string, message: string): undefined => {
    fields.push({ path, message })
    return undefined
  }

  const text = (path: string, maxCharacters: number, value: unknown): string | undefined => {
    if (typeof value !== 'string') return refuse(path, `must be a text, not ${kindOf(value)}`)
    const problem = path === 'environment' ? environmentProblem(value) : textProblem(value, maxCharacters)
    return problem === undefined ? value : refuse(path, inWords(problem, maxCharacters))
  }
  const required = (path: string): string =>
    (body[path] === undefined || body[path] === null
      ? refuse(path, 'is required')
      : text(path, MAX_NAME_CHARACTERS, body[path])) ?? ''
  /** Omitted keeps its value on an update, null clears it. */
  const optional = (path: string, maxCharacters: number): string | null | undefined =>
    body[path] === undefined || body[path] === null
      ? (body[path] as null | undefined)
      : text(path, maxCharacters, body[path])

  const input: DeployInput = {
    sha: required('sha'),
    environment: required('environment'),
    deployedAtUs: parseDeployedAt(body.deployedAt, nowMs, refuse),
    status: parseStatus(body.status, refuse),
    ref: optional('ref', MAX_NAME_CHARACTERS),
    message: optional('message', MAX_DEPLOY_MESSAGE_CHARACTERS),
    author: optional('author', MAX_NAME_CHARACTERS),
    externalId: optional('externalId', MAX_NAME_CHARACTERS),
    url: parseUrl(optional('url', MAX_URL_CHARACTERS), refuse),
    metadata: parseMetadata(body.metadata, refuse),
  }
  fields.push(...problems.filter(({ path }) => path.startsWith('metadata.')))
  if (fields.length > 0) throw invalidFields('The deploy was not recorded:', fields)
  return input
}

type Refuse = (path: string, message: string) => undefined

function parseDeployedAt(value: unknown, nowMs: number, refuse: Refuse): number {
  if (value === undefined || value === null) return refuse('deployedAt', 'is required') ?? 0
  const timeUs = typeof value === 'string' ? parseRfc3339(value) : null
  if (timeUs === null) return refuse('deployedAt', 'must be an ISO 8601 UTC time such as 2026-01-31T12:00:00Z') ?? 0
  if (timeUs > nowMs * 1_000 + MAX_AHEAD_US)
    return refuse('deployedAt', `is more than ${MAX_AHEAD_HOURS} hours ahead: check the clock of the sender`) ?? 0
  return timeUs
}

/** Left out it means succeeded, also on an update: the event is sent after the deployment succeeded. */
function parseStatus(value: unknown, refuse: Refuse): DeployStatus | undefined {
  if (value === undefined || value === null) return undefined
  const known = DEPLOY_STATUSES.find((status) => status === value)
  return known ?? refuse('status', `must be one of ${DEPLOY_STATUSES.join(', ')}`)
}

function parseUrl(value: string | null | undefined, refuse: Refuse): string | null | undefined {
  if (value === null || value === undefined) return value
  const address = httpAddress(value)
  if (address === null) return refuse('url', 'must be an http or https address without spaces or invisible characters')
  return hasCredentials(address) ? refuse('url', WITH_CREDENTIALS) : value
}

/** Whether a deploy is taken with this address. */
export function isDeployUrl(value: string): boolean {
  const address = textProblem(value, MAX_URL_CHARACTERS) === undefined ? httpAddress(value) : null
  return address !== null && !hasCredentials(address)
}

function parseMetadata(value: unknown, refuse: Refuse): Record<string, unknown> | null | undefined {
  if (value === undefined || value === null) return value
  if (!isObject(value)) return refuse('metadata', `must be a JSON object, not ${kindOf(value)}`)
  const problem = metadataProblem(value)
  return problem === undefined ? value : refuse('metadata', problem)
}

function metadataProblem(value: object): string | undefined {
  if (depthOf(value, MAX_METADATA_DEPTH) > MAX_METADATA_DEPTH)
    return `is nested deeper than ${MAX_METADATA_DEPTH} levels`
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > MAX_METADATA_BYTES) return `is larger than ${sizeWords(MAX_METADATA_BYTES)} as JSON`
  return hasUnstorableText(value) ? NOT_STORABLE : undefined
}

/** In code points: only the environment has to be counted as records count it. */
function textProblem(text: string, maxCharacters: number): NameProblem | undefined {
  if (text === '') return 'empty'
  // A code point takes two units at most, so a much longer text need not be looked through.
  if (text.length > 2 * maxCharacters) return 'too long'
  if (!isStorable(text)) return 'not storable'
  return text.length > maxCharacters && [...text].length > maxCharacters ? 'too long' : undefined
}

function inWords(problem: NameProblem, maxCharacters: number): string {
  if (problem === 'empty') return 'is empty'
  return problem === 'too long' ? `is longer than ${withCommas(maxCharacters)} characters` : NOT_STORABLE
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return !isStorable(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, part]) => !isStorable(key) || hasUnstorableText(part))
}

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (limit < 0) return 1
  // A loop: spreading a list of a hundred thousand values into a call overflows the stack.
  let deepest = 0
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part, limit - 1))
  return 1 + deepest
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
