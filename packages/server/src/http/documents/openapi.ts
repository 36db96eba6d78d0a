/**
 * The HTTP interface in OpenAPI 3.1, written once: served at /openapi.json, drawn at /docs, printed into docs/http-api.md.
 * Bodies come from the schemas that the doors themselves use; each has a name, by which others refer to it.
 */
import { plainSchema } from '@tidemark/wire/json-schema'
import { z } from 'zod'
import { analysisPaths, analysisSchemas } from './openapi-analyses.ts'
import { ingestPaths, ingestSchemas } from './openapi-ingest.ts'
import { readingPaths, readingSchemas } from './openapi-reading.ts'
import { senderPaths } from './openapi-senders.ts'
import { sourceMapPaths, sourceMapSchemas } from './openapi-source-maps.ts'
import { viewPaths, viewSchemas } from './openapi-views.ts'
import { errors, schemaRef } from './operation.ts'

const SCHEMAS = componentSchemas({
  ...ingestSchemas,
  ...readingSchemas,
  ...analysisSchemas,
  ...viewSchemas,
  ...sourceMapSchemas,
})

const paths = {
  '/healthz': { get: { summary: 'Is the process alive', security: [{}], responses: { 200: { description: 'Yes.' } } } },
  '/readyz': {
    get: {
      summary: 'Can it serve',
      security: [{}],
      responses: {
        200: { description: 'Yes.' },
        503: { description: 'Not now, for instance because nothing can be stored; `checks` has the reasons.' },
      },
    },
  },
  '/metrics': {
    get: {
      summary: 'Prometheus metrics',
      description:
        'Open on a loopback binding to requests that are sent straight to it; elsewhere, and through a proxy, it needs `TIDEMARK_METRICS_TOKEN` as a bearer token.',
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
    paths: {
      ...ingestPaths,
      ...senderPaths,
      ...paths,
      ...readingPaths,
      ...analysisPaths,
      ...viewPaths,
      ...sourceMapPaths,
    },
    components: {
      schemas: SCHEMAS,
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

function componentSchemas<Name extends string>(named: Record<Name, z.ZodType>): Record<Name, Component> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries<z.ZodType>(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => schemaRef(id).$ref })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plainSchema(schema)])) as Record<
    Name,
    Component
  >
}

/** What the pages show of it. */
export type Component = {
  type?: string | string[]
  enum?: readonly (string | null)[]
  description?: string
  properties?: Record<string, Component>
  required?: readonly string[]
  $ref?: string
  items?: Component
  maxLength?: number
}
