/**
 * What is sent, in the OpenAPI document. Ingest accepts more than this (the names and forms of other shippers); the
 * limits are the ones it enforces.
 */

import { BATCH_ID, BATCH_MEMORY_HOURS } from '@tidemark/wire/batch-id'
import { deploy, deployAnswer, deployStatus } from '@tidemark/wire/deploys/deploy'
import { deployVerdictAnswer, deployVerdictInput } from '@tidemark/wire/deploys/verdict'
import { errorAnswer } from '@tidemark/wire/error'
import { LEVELS } from '@tidemark/wire/level'
import {
  MAX_AHEAD_HOURS,
  MAX_ATTRIBUTES,
  MAX_DEPLOY_MESSAGE_CHARACTERS,
  MAX_MESSAGE_BYTES,
  MAX_NAME_CHARACTERS,
  MAX_URL_CHARACTERS,
} from '@tidemark/wire/limits'
import { logsAnswer } from '@tidemark/wire/logs'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import * as limits from '../../ingest/limits.ts'
import { MAX_METADATA_BYTES } from '../../verbs/deploys/deploy-input.ts'
import { MAX_WAIT_MINUTES } from '../../verbs/deploys/deploy-verdict.ts'
import { MAX_WEBHOOK_BYTES } from '../webhook-routes.ts'
import { errors, jsonContent, parametersOf, schemaRef } from './operation.ts'

const text = z.string().optional()
const name = z.string().min(1).max(MAX_NAME_CHARACTERS)
const optionalName = name.nullable().optional()

const logRecord = z
  .object({
    message: text.describe(
      `Required, unless \`error\` is there. Longer than ${sizeWords(MAX_MESSAGE_BYTES)} is cut and marked \`truncated\`.`,
    ),
    timestamp: z
      .union([z.string(), z.number()])
      .optional()
      .describe(
        `RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since 1970. Default: arrival. Older than the retention or more than ${MAX_AHEAD_HOURS} hours ahead is rejected.`,
      ),
    level: z
      .enum(LEVELS)
      .optional()
      .describe('The usual aliases and the numbers of pino, syslog and OpenTelemetry are understood. Default: `info`.'),
    environment: z
      .string()
      .max(MAX_NAME_CHARACTERS)
      .optional()
      .describe("Kept as it is and matched exactly against deploys. Absent or empty: the project's default."),
    service: text,
    host: text,
    logger: text,
    release: text,
    traceId: text,
    spanId: text,
    error: z
      .object({ type: text, message: text, stack: text })
      .optional()
      .describe('Stacks inside `message` or attributes are found too.'),
    attributes: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        `Any JSON object; nested keys become dotted keys. At most ${MAX_ATTRIBUTES}, keys at most ${limits.MAX_KEY_BYTES} bytes, at most ${limits.MAX_ATTRIBUTE_DEPTH} levels deep.`,
      ),
  })
  .describe(
    'One log entry. Common names of other shippers (`msg`, `severity`, `@timestamp`, `service.name` …) are understood too; what is not understood is kept as an attribute.',
  )

const logBatch = z.object({
  projectApiKey: text.describe('The ingest key, where no header can carry it.'),
  logs: z.array(logRecord).max(limits.MAX_RECORDS),
})

const deployEvent = z.object({
  projectApiKey: z.string().describe('The ingest key.'),
  sha: name.describe('Revision of the deployed code.'),
  environment: name.describe("Matched exactly, case and spelling, against the records' environment."),
  deployedAt: z
    .string()
    .meta({ format: 'date-time' })
    .describe(`Such as 2026-01-31T12:00:00Z; another offset is converted; at most ${MAX_AHEAD_HOURS} hours ahead.`),
  ref: optionalName,
  message: z.string().max(MAX_DEPLOY_MESSAGE_CHARACTERS).nullable().optional(),
  author: optionalName,
  status: deployStatus.default('succeeded'),
  externalId: optionalName.describe(
    'Name of the run in the CI system. Sent again it updates the event: an omitted optional field keeps its value, null clears it.',
  ),
  url: z
    .string()
    .max(MAX_URL_CHARACTERS)
    .nullable()
    .optional()
    .meta({ format: 'uri' })
    .describe('Link to the CI run, http or https, without a name or a password.'),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe(
      `Any JSON object of at most ${sizeWords(MAX_METADATA_BYTES)}. Integers beyond 2^53 that a double would change, and numbers beyond a double, are refused: send them as text.`,
    ),
})

export const ingestSchemas = {
  LogRecord: logRecord,
  LogBatch: logBatch,
  LogAnswer: logsAnswer,
  DeployEvent: deployEvent,
  Deploy: deploy,
  DeployAnswer: deployAnswer,
  IgnoredAnswer: z.object({ ignored: z.literal(true), reason: z.string() }),
  DeployVerdict: deployVerdictAnswer,
  Error: errorAnswer.extend({
    error: errorAnswer.shape.error.extend({ code: z.enum(Object.keys(ERROR_CODES) as ErrorCode[]) }),
  }),
}

const KEY = [{ bearer: [] }, { apiKey: [] }, { basic: [] }]

/** What every door for records may answer. */
export const RECORD_ERRORS: ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'batch_changed',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'quota_exceeded',
  'unavailable',
  'storage_full',
  'spool_full',
]

const ANNOUNCED = [
  ['github', 'GitHub', '`X-Hub-Signature-256`, made with the deploy webhook key'],
  [
    'gitlab',
    'GitLab',
    '`webhook-signature`, made with its signing token, or the deploy webhook key in `X-Gitlab-Token`',
  ],
] as const

function announcement(name: string, signature: string) {
  return {
    post: {
      summary: `Take a deployment that ${name} announces`,
      description: `What ${name} sends by itself, as it is, in at most ${sizeWords(MAX_WEBHOOK_BYTES)}. It is known by its signature: ${signature}. Only how a deployment ended is recorded.`,
      security: [{}],
      parameters: [
        {
          name: 'webhook',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'The id of a deploy webhook key, which is not a secret.',
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        200: { description: 'Updated, or already known.', ...jsonContent('DeployAnswer') },
        201: { description: 'Created.', ...jsonContent('DeployAnswer') },
        202: { description: 'Not the end of a deployment: ignored, with the reason.', ...jsonContent('IgnoredAnswer') },
        ...errors(
          'invalid_request',
          'unauthorized',
          'body_too_large',
          'unsupported_media_type',
          'rate_limited',
          'unavailable',
          'storage_full',
        ),
      },
    },
  }
}

export const ingestPaths = {
  '/v1/logs': {
    post: {
      summary: 'Send log records',
      description:
        'Records are durable when the answer arrives. A body with `resourceLogs` (JSON) or of type `application/x-protobuf` is OTLP/HTTP and is answered in its form. Bodies may be compressed with gzip, deflate or br.',
      security: [...KEY, {}],
      parameters: [
        {
          name: 'X-Batch-Id',
          in: 'header',
          schema: { type: 'string', pattern: BATCH_ID.source },
          description: `Name of the batch (also \`Idempotency-Key\`): the same bytes sent again within ${BATCH_MEMORY_HOURS} hours, compressed or not, are stored once and answered alike. Other bytes under the name are refused with 409 \`batch_changed\`: use a new one.`,
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [schemaRef('LogBatch'), { type: 'array', items: schemaRef('LogRecord') }, schemaRef('LogRecord')],
            },
          },
          'application/x-ndjson': { schema: { type: 'string', description: 'One record a line.' } },
          'application/x-protobuf': {
            schema: { type: 'string', format: 'binary', description: 'ExportLogsServiceRequest.' },
          },
        },
      },
      responses: {
        200: { description: 'Taken in. OTLP requests get an ExportLogsServiceResponse.', ...jsonContent('LogAnswer') },
        ...errors(...RECORD_ERRORS),
      },
    },
  },
  ...Object.fromEntries(
    ['traces', 'metrics'].map((signal) => [
      `/v1/${signal}`,
      {
        post: {
          summary: `Discard ${signal}`,
          description: `Answers an empty OTLP success and stores nothing, so that OpenTelemetry SDKs can keep their exporter for ${signal} on. The body is not read.`,
          security: KEY,
          requestBody: {
            required: true,
            content: { 'application/x-protobuf': { schema: {} }, 'application/json': { schema: {} } },
          },
          responses: {
            200: { description: 'Discarded.' },
            ...errors('unauthorized', 'forbidden', 'body_too_large', 'rate_limited', 'unavailable'),
          },
        },
      },
    ]),
  ),
  '/v1/deploys': {
    post: {
      summary: 'Record a deploy',
      description:
        'Send it from CI after the deployment. The key travels in the body. Deploys never count against the quota.',
      security: [{}],
      requestBody: {
        required: true,
        ...jsonContent('DeployEvent'),
      },
      responses: {
        200: { description: 'Updated.', ...jsonContent('DeployAnswer') },
        201: { description: 'Created.', ...jsonContent('DeployAnswer') },
        ...errors(
          'invalid_request',
          'unauthorized',
          'forbidden',
          'body_too_large',
          'unsupported_media_type',
          'rate_limited',
          'unavailable',
          'storage_full',
        ),
      },
    },
  },
  ...Object.fromEntries(
    ANNOUNCED.map(([from, name, signature]) => [`/v1/deploys/${from}/{webhook}`, announcement(name, signature)]),
  ),
  '/v1/deploys/{id}/verdict': {
    get: {
      summary: 'Whether a deploy did harm',
      description: `For CI, with an ingest key or a read key: \`good\`, \`suspect\`, \`bad\` or \`too_early\`, with reasons. With \`wait\` (at most ${MAX_WAIT_MINUTES}m) the answer comes as soon as it is not too early any more, or when the wait is over. \`latest\` as the id is the newest that succeeded, in \`environment\` if that is given. Proxies cut connections that are silent for a minute: ask again with a shorter wait there.`,
      security: [{ bearer: [] }],
      parameters: parametersOf(deployVerdictInput.shape),
      responses: {
        200: { description: 'The verdict.', ...jsonContent('DeployVerdict') },
        ...errors('invalid_request', 'unauthorized', 'not_found', 'rate_limited', 'unavailable'),
      },
    },
  },
}
