/** What Elasticsearch's clients expect to read: results of a bulk, errors, and what a server says of itself. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../errors.ts'
import type { AcceptedBatch } from '../../ingest/door/accept.ts'

/** Its clients refuse to speak to a server that does not send this. */
export const PRODUCT = { 'X-Elastic-Product': 'Elasticsearch' }

export function bulkAnswer(reply: FastifyReply, batch: AcceptedBatch, { id }: FastifyRequest): FastifyReply {
  const reasons = new Map(batch.rejected.map(({ index, reason }) => [index, reason]))
  const items = (batch.actions ?? []).map(({ action, index, id: given }, at) => {
    const item = { _index: index, _id: given ?? `${id}-${at}` }
    const reason = reasons.get(at)
    if (reason === undefined) return { [action]: { ...item, ...CREATED } }
    const type =
      action === 'update' || action === 'delete' ? 'illegal_argument_exception' : 'document_parsing_exception'
    return { [action]: { ...item, status: 400, error: { type, reason } } }
  })
  const took = Math.round(reply.elapsedTime)
  return reply.headers(PRODUCT).send({ took, errors: batch.rejected.length > 0, items })
}

const CREATED = {
  _version: 1,
  result: 'created',
  _shards: { total: 1, successful: 1, failed: 0 },
  _seq_no: 0,
  _primary_term: 1,
  status: 201,
}

export function elasticsearchError(reply: FastifyReply, { status, message: reason }: AppError): FastifyReply {
  const type = ERROR_TYPES.get(status) ?? 'exception'
  return reply.headers(PRODUCT).send({ error: { root_cause: [{ type, reason }], type, reason }, status })
}

const ERROR_TYPES = new Map([
  [400, 'illegal_argument_exception'],
  [401, 'security_exception'],
  [403, 'security_exception'],
  [409, 'version_conflict_engine_exception'],
  [413, 'content_too_long_exception'],
  [415, 'media_type_header_exception'],
  [429, 'es_rejected_execution_exception'],
  [503, 'es_rejected_execution_exception'],
])

/** The version whose bulk interface this is; shippers choose by it how they speak. */
export const SERVER_INFO = {
  name: 'tidemark',
  cluster_name: 'tidemark',
  cluster_uuid: 'tidemark',
  version: {
    number: '8.19.0',
    build_flavor: 'default',
    build_type: 'tar',
    build_hash: 'unknown',
    build_date: '2025-01-01T00:00:00.000Z',
    build_snapshot: false,
    lucene_version: '9.12.0',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
}

const LICENSE = { uid: 'tidemark', type: 'basic', mode: 'basic', status: 'active' }
const OFF = { available: false, enabled: false }

/** Asked for by shippers before they send. */
export const ABOUT: Record<string, object> = {
  '/_license': { license: LICENSE },
  '/_xpack': { license: LICENSE, features: { ilm: OFF, security: { available: true, enabled: true } } },
  '/_cluster/health': { cluster_name: 'tidemark', status: 'green', timed_out: false, number_of_nodes: 1 },
}

/** Things that shippers make sure of. They are said to be there, because nothing here needs them. */
export const SET_UP: Record<string, (name: string) => object> = {
  '/_index_template/:name': (name) => ({ index_templates: [{ name, index_template: {} }] }),
  '/_component_template/:name': (name) => ({ component_templates: [{ name, component_template: {} }] }),
  '/_template/:name': (name) => ({ [name]: {} }),
  '/_ilm/policy/:name': (name) => ({ [name]: { version: 1, policy: { phases: {} } } }),
  '/_ingest/pipeline/:name': (name) => ({ [name]: {} }),
  '/_data_stream/:name': (name) => ({ data_streams: [{ name, status: 'GREEN' }] }),
}
