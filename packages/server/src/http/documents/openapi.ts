/** The HTTP interface in OpenAPI 3.1, written once: served at /openapi.json, drawn at /docs, printed into docs/http-api.md. */

import { LEVELS } from '@tidemark/wire/level'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import { DEPLOY_STATUSES } from '../../model/deploy.ts'
import { analysisPaths, analysisSchemas } from './openapi-analyses.ts'
import { readingPaths, readingSchemas } from './openapi-reading.ts'

const NAME = { type: 'string', minLength: 1, maxLength: 255 }
const OPTIONAL_NAME = { ...NAME, type: ['string', 'null'] }
const TIME = { type: 'string', format: 'date-time' }

const schemas = {
  LogRecord: {
    type: 'object',
    description:
      'One log entry. Common names of other shippers (`msg`, `severity`, `@timestamp`, `service.name` …) are understood too; what is not understood is kept as an attribute.',
    properties: {
      message: {
        type: 'string',
        description: 'Required, unless `error` is there. Longer than 64 KiB is cut and marked `truncated`.',
      },
      timestamp: {
        type: ['string', 'number'],
        description:
          'RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since 1970. Default: arrival. Older than the retention or more than 24 hours ahead is rejected.',
      },
      level: {
        enum: [...LEVELS],
        description:
          'The usual aliases and the numbers of pino, syslog and OpenTelemetry are understood. Default: `info`.',
      },
      environment: {
        type: 'string',
        maxLength: 255,
        description: "Kept to the letter and matched exactly against deploys. Absent or empty: the project's default.",
      },
      service: { type: 'string' },
      host: { type: 'string' },
      logger: { type: 'string' },
      release: { type: 'string' },
      traceId: { type: 'string' },
      spanId: { type: 'string' },
      error: {
        type: 'object',
        properties: { type: { type: 'string' }, message: { type: 'string' }, stack: { type: 'string' } },
        description: 'Stacks inside `message` or attributes are found too.',
      },
      attributes: {
        type: 'object',
        description:
          'Any JSON object; nested keys become dotted keys. At most 256, keys at most 128 bytes, at most 8 levels deep.',
      },
    },
  },
  LogBatch: {
    type: 'object',
    required: ['logs'],
    properties: {
      projectApiKey: { type: 'string', description: 'The ingest key, where no header can carry it.' },
      logs: { type: 'array', maxItems: 50_000, items: { $ref: '#/components/schemas/LogRecord' } },
    },
  },
  LogAnswer: {
    type: 'object',
    required: ['accepted', 'rejected'],
    properties: {
      accepted: { type: 'integer', description: 'These records are on disk and will be found exactly once.' },
      rejected: {
        type: 'array',
        items: { type: 'object', properties: { index: { type: 'integer' }, reason: { type: 'string' } } },
      },
    },
  },
  DeployEvent: {
    type: 'object',
    required: ['projectApiKey', 'sha', 'environment', 'deployedAt'],
    properties: {
      projectApiKey: { type: 'string', description: 'The ingest key.' },
      sha: { ...NAME, description: 'Revision of the deployed code.' },
      environment: { ...NAME, description: "Matched exactly, case and spelling, against the records' environment." },
      deployedAt: {
        ...TIME,
        description: 'Such as 2026-01-31T12:00:00Z; another offset is converted; at most 24 hours ahead.',
      },
      ref: OPTIONAL_NAME,
      message: { type: ['string', 'null'], maxLength: 10_000 },
      author: OPTIONAL_NAME,
      status: { enum: [...DEPLOY_STATUSES], default: 'succeeded' },
      externalId: {
        ...OPTIONAL_NAME,
        description:
          'Name of the run in the CI system. Sent again it updates the event: an omitted optional field keeps its value, null clears it.',
      },
      url: {
        type: ['string', 'null'],
        format: 'uri',
        maxLength: 2_048,
        description: 'Link to the CI run, http or https.',
      },
      metadata: {
        type: ['object', 'null'],
        description:
          'Any JSON object of at most 16 KiB. Integers beyond 2^53 that a double would change, and numbers beyond a double, are refused: send them as text.',
      },
    },
  },
  Deploy: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      sha: NAME,
      environment: NAME,
      deployedAt: TIME,
      status: { enum: [...DEPLOY_STATUSES] },
      ref: OPTIONAL_NAME,
      message: { type: ['string', 'null'] },
      author: OPTIONAL_NAME,
      externalId: OPTIONAL_NAME,
      url: { type: ['string', 'null'] },
      metadata: { type: ['object', 'null'] },
      createdAt: TIME,
      updatedAt: TIME,
    },
  },
  DeployAnswer: {
    type: 'object',
    properties: {
      created: { type: 'boolean', description: 'False when an event with the same `externalId` was updated.' },
      deploy: { $ref: '#/components/schemas/Deploy' },
      previousDeploy: {
        description: 'The succeeded deploy before it in the same environment.',
        anyOf: [{ $ref: '#/components/schemas/Deploy' }, { type: 'null' }],
      },
      url: { type: 'string', description: 'Its page in the dashboard.' },
    },
  },
  Error: {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'requestId'],
        properties: {
          code: { enum: Object.keys(ERROR_CODES) },
          message: { type: 'string', description: 'What is wrong and what to do.' },
          fields: {
            type: 'array',
            items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
            description: 'Every field that is not valid.',
          },
          requestId: { type: 'string', description: "The same id stands in the service's log." },
        },
      },
    },
  },
}

const KEY = [{ bearer: [] }, { apiKey: [] }, { basic: [] }]

const paths = {
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
          schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64}$' },
          description:
            'Name of the batch (also `Idempotency-Key`): the same bytes sent again within 24 hours, compressed or not, are stored once and answered alike. Other bytes under the name are refused with 409 `batch_changed`: use a new one.',
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [
                { $ref: '#/components/schemas/LogBatch' },
                { type: 'array', items: { $ref: '#/components/schemas/LogRecord' } },
                { $ref: '#/components/schemas/LogRecord' },
              ],
            },
          },
          'application/x-ndjson': { schema: { type: 'string', description: 'One record a line.' } },
          'application/x-protobuf': {
            schema: { type: 'string', format: 'binary', description: 'ExportLogsServiceRequest.' },
          },
        },
      },
      responses: {
        200: answer('Taken in. OTLP requests get an ExportLogsServiceResponse.', 'LogAnswer'),
        ...errors(
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
        ),
      },
    },
  },
  '/v1/deploys': {
    post: {
      summary: 'Record a deploy',
      description:
        'Send it from CI after the deployment. The key travels in the body. Deploys never count against the quota.',
      security: [{}],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/DeployEvent' } } },
      },
      responses: {
        200: answer('Updated.', 'DeployAnswer'),
        201: answer('Created.', 'DeployAnswer'),
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
  '/healthz': { get: { summary: 'Is the process alive', security: [{}], responses: { 200: { description: 'Yes.' } } } },
  '/readyz': {
    get: {
      summary: 'Can it serve',
      security: [{}],
      responses: { 200: { description: 'Yes.' }, 503: { description: 'Not now; `checks` says what is missing.' } },
    },
  },
  '/metrics': {
    get: {
      summary: 'Prometheus metrics',
      description:
        'Open on a loopback binding to who asks directly; elsewhere, and through a proxy, it needs `TIDEMARK_METRICS_TOKEN` as a bearer token.',
      security: [{}, { bearer: [] }],
      responses: { 200: { description: 'Metrics in text form.' }, ...errors('unauthorized', 'forbidden') },
    },
  },
}

export function openApiDocument(serverUrl: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: '1',
      description: 'Logs, errors and deploys on one timeline.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    paths: { ...paths, ...readingPaths, ...analysisPaths },
    components: {
      schemas: { ...schemas, ...readingSchemas, ...analysisSchemas },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An ingest key (tidemark_ingest_…) for sending, a read key (tidemark_read_…) for reading.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tidemark_session',
          description: 'Of a person who signed in to the dashboard; `__Host-tidemark` over https.',
        },
        basic: { type: 'http', scheme: 'basic', description: 'The key as the password; the user name is ignored.' },
      },
    },
  }
}

/** Several codes can share a status, so the description lists them. */
function errors(...codes: ErrorCode[]): Record<number, ReturnType<typeof answer>> {
  const byStatus = groupByStatus(codes)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, answer(group.map((code) => `\`${code}\``).join(', '), 'Error')]),
  )
}

function answer(description: string, schema: string) {
  return { description, content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } }
}

function groupByStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes)
    groups.set(ERROR_CODES[code].status, [...(groups.get(ERROR_CODES[code].status) ?? []), code])
  return groups
}
