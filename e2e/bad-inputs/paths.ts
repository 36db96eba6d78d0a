/** Valid bodies at the wrong path or with the wrong method. */
import { type BadInput, goodDeploy, type Keys, record } from './row.ts'

const headers = ({ ingest }: Keys) => ({ authorization: `Bearer ${ingest}`, 'content-type': 'application/json' })

const WRONG_METHODS: BadInput[] = ['/v1/logs', '/v1/traces', '/v1/metrics', '/v1/deploys'].flatMap((path) =>
  ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
    name: `${method} ${path}`,
    status: 405,
    code: 'method_not_allowed',
    allow: 'OPTIONS, POST',
    send: (keys) => ({
      method,
      path,
      headers: headers(keys),
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: JSON.stringify(record(goodDeploy(keys.ingest))) }),
    }),
  })),
)

const UNKNOWN_PATHS: BadInput[] = [
  '/v1',
  '/v1/log',
  '/v1/Logs',
  '/v1/logs/',
  '//v1/logs',
  '/v1/logs/_bulk',
  '/v1/logs%2f',
  '/v2/logs',
  '/logs',
  '/v1/deploy',
  '/v1/deploys/',
  '/v1/deploys;a=b',
  '/v1/traces/',
  '/v1/metric',
].map((path) => ({
  name: `POST ${path}`,
  status: 404,
  code: 'not_found',
  send: (keys) => ({ path, headers: headers(keys), body: JSON.stringify(record(goodDeploy(keys.ingest))) }),
}))

export const PATHS: BadInput[] = [...WRONG_METHODS, ...UNKNOWN_PATHS]
