/** The paths of other senders' protocols in the OpenAPI document. Their bodies and answers are described where they come from. */
import { ERROR_CODES } from '../../errors.ts'
import { DATADOG_PARAMETERS } from '../../ingest/senders/sender.ts'
import { RECORD_ERRORS } from './openapi-ingest.ts'

const HEADERS = [{ bearer: [] }, { apiKey: [] }, { basic: [] }]

export const senderPaths = {
  '/loki/api/v1/push': {
    post: {
      summary: "Take Loki's push",
      description: "Loki's JSON, or its protobuf in snappy. Errors are a sentence as text.",
      security: HEADERS,
      requestBody: bodyOf('application/json', 'application/x-protobuf'),
      responses: {
        204: { description: 'All entries are stored.' },
        ...refusals('text/plain', { 400: 'Not readable, or some entries were not taken and the others are stored.' }),
      },
    },
  },
  ...Object.fromEntries(
    ['/_bulk', '/{index}/_bulk'].map((path) => [
      path,
      {
        post: {
          summary: "Take Elasticsearch's bulk",
          description:
            '`create` and `index` store a record, `update` and `delete` are refused item by item. The key may also be an API key (`Authorization: ApiKey`). `PUT` is the same.',
          security: HEADERS,
          parameters: path.includes('{')
            ? [{ name: 'index', in: 'path', required: true, schema: { type: 'string' } }]
            : [],
          requestBody: bodyOf('application/x-ndjson'),
          responses: {
            200: { description: 'Read; `items` says what became of each.' },
            ...refusals('application/json'),
          },
        },
      },
    ]),
  ),
  '/upload': {
    post: {
      summary: 'Take the journal of systemd',
      description:
        'What `systemd-journal-upload` and `journalctl -o export` write, without an end: it is stored in batches while it comes. Errors are a sentence as text.',
      security: HEADERS,
      requestBody: bodyOf('application/vnd.fdo.journal'),
      responses: {
        200: { description: 'All of it has come; the sentence says how many entries are stored, and which are not.' },
        ...refusals('text/plain', { 400: 'Not a journal. The batches before are stored.' }),
      },
    },
  },
  '/api/v2/logs': {
    post: {
      summary: "Take Datadog's logs",
      description: 'One entry or a list. The key is the header `DD-API-KEY`. `/v1/input` is the same.',
      security: HEADERS,
      parameters: DATADOG_PARAMETERS.map((name) => ({
        name,
        in: 'query',
        required: false,
        description: 'For entries that do not state it.',
        schema: { type: 'string' },
      })),
      requestBody: bodyOf('application/json'),
      responses: {
        202: { description: 'Taken; `errors` lists entries that were not.' },
        ...refusals('application/json'),
      },
    },
  },
}

function bodyOf(...types: string[]) {
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) }
}

function refusals(type: string, words: Record<number, string> = {}) {
  const statuses = [...new Set(RECORD_ERRORS.map((code) => ERROR_CODES[code].status))]
  const content = { [type]: { schema: {} } }
  const said = (status: number) => RECORD_ERRORS.filter((code) => ERROR_CODES[code].status === status)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description:
          words[status] ??
          said(status)
            .map((code) => `\`${code}\``)
            .join(', '),
        content,
      },
    ]),
  )
}
