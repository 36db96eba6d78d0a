/** The limits of the doors in words, for the documents. The numbers are the ones that are enforced. */

import {
  MAX_ACTIVE_KEYS,
  MAX_ATTRIBUTES,
  MAX_JOURNAL_FIELDS,
  MAX_JSON_BODY_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_NAME_CHARACTERS,
  MAX_OPEN_INVITATIONS,
  MAX_OPEN_INVITATIONS_OF_A_PERSON,
  MAX_OWNED_PROJECTS,
  MAX_RECORD_BYTES,
  MAX_REQUEST_DAYS,
  MAX_SOURCE_MAP_BYTES,
  MAX_SOURCE_MAPS_OF_A_PROJECT,
  MAX_SOURCE_MAPS_OF_A_RELEASE,
  MAX_STORED_MAP_BYTES,
} from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import * as bytes from '../../bytes/limits.ts'
import { MAX_RETRY_AFTER_SECONDS } from '../../ingest/door/quota.ts'
import * as limits from '../../ingest/limits.ts'
import { DEPLOY_RATE } from '../../verbs/deploys/record-deploy.ts'
import { KEY_LIMITS } from '../../verbs/reading/call-limits.ts'
import { SOURCE_MAP_RATE } from '../../verbs/source-maps.ts'
import { HTTP_CONNECTIONS } from '../server.ts'
import { MAX_WEBHOOK_BYTES } from '../webhook-routes.ts'

const mb = (bytes: number) => `${bytes / 1_000_000} MB`

export const LIMITS: { what: string; value: string; atLimit: string }[] = [
  {
    what: 'log request, after inflation',
    value: `${sizeWords(bytes.MAX_INFLATED_BYTES)}, ${withCommas(limits.MAX_RECORDS)} records`,
    atLimit: '413',
  },
  {
    what: 'resource and scope of OTLP, labels of Loki, counted with each record but their first',
    value: `${sizeWords(limits.MAX_SHARED_BYTES)} per log request`,
    atLimit: '413',
  },
  { what: 'records of a log request as stored', value: sizeWords(limits.MAX_ROW_BYTES), atLimit: '413' },
  {
    what: `inflated to its compressed size, above ${mb(bytes.RATIO_CHECK_ABOVE_BYTES)}`,
    value: `${bytes.MAX_INFLATION_RATIO} times`,
    atLimit: '413',
  },
  {
    what: 'JSON depth, values',
    value: `${bytes.MAX_JSON_DEPTH} (attributes ${limits.MAX_ATTRIBUTE_DEPTH}), ${withCommas(bytes.MAX_JSON_VALUES)}`,
    atLimit: '400, found before parsing',
  },
  { what: 'message', value: sizeWords(MAX_MESSAGE_BYTES), atLimit: 'cut, marked `truncated`' },
  { what: 'record', value: sizeWords(MAX_RECORD_BYTES), atLimit: 'that record is rejected' },
  {
    what: 'attributes',
    value: `${MAX_ATTRIBUTES} per record, key ${limits.MAX_KEY_BYTES} bytes`,
    atLimit: 'that record is rejected',
  },
  { what: 'environment', value: `${MAX_NAME_CHARACTERS} characters`, atLimit: 'that record is rejected' },
  { what: 'service, host, logger, release', value: `${MAX_NAME_CHARACTERS} characters`, atLimit: 'cut' },
  { what: 'distinct UTC days in a request', value: String(MAX_REQUEST_DAYS), atLimit: '400' },
  {
    what: 'rate per ingest key',
    value: `${mb(limits.DEFAULT_BYTES_PER_SECOND)}/s, ${withCommas(limits.DEFAULT_REQUESTS_PER_SECOND)} requests/s on each node, configurable per project`,
    atLimit: '429 with `Retry-After`, nothing of the request is stored',
  },
  {
    what: 'monthly quota per project (UTC month)',
    value: 'none by default',
    atLimit: `429 with \`Retry-After\` of at most ${formatElapsed(MAX_RETRY_AFTER_SECONDS)}; deploys still work`,
  },
  {
    what: 'records waiting to be loaded',
    value: `${sizeWords(limits.MAX_SPOOL_BYTES)}, at most ${shareWords(limits.MAX_SPOOL_SHARE)} of the disk`,
    atLimit: '503 `spool_full` with `Retry-After`',
  },
  {
    what: 'free disk',
    value: `${sizeWords(limits.MIN_FREE_BYTES)} or ${shareWords(limits.MIN_FREE_SHARE)}, whichever is more, and at most ${shareWords(limits.MAX_FREE_SHARE)} of the disk`,
    atLimit: '503 `storage_full` with `Retry-After`',
  },
  {
    what: 'connections',
    value: `${withCommas(HTTP_CONNECTIONS.connections)}, of which ${withCommas(HTTP_CONNECTIONS.connectionsPerAddress)} from one [address](operating.md#connections)`,
    atLimit: 'the connection that was idle for longest is closed, or the new one gets 503',
  },
  {
    what: 'syslog message',
    value: sizeWords(limits.MAX_SYSLOG_MESSAGE_BYTES),
    atLimit: 'passed over and counted in `tidemark_syslog_refused_total`',
  },
  {
    what: 'entry of a journal',
    value: `${sizeWords(MAX_RECORD_BYTES)}, ${withCommas(MAX_JOURNAL_FIELDS)} fields; the upload may be of any size`,
    atLimit: 'a larger field is left out; an entry that is still too large without it is rejected',
  },
  {
    what: 'journals that are uploaded at once',
    value: `${limits.JOURNAL_UPLOAD_LIMITS.key.uploads} per key, ${limits.JOURNAL_UPLOAD_LIMITS.project.uploads} per project, ${limits.JOURNAL_UPLOAD_LIMITS.all.uploads} in all`,
    atLimit: '429 or 503 with `Retry-After`',
  },
  { what: 'deploy body', value: sizeWords(MAX_JSON_BODY_BYTES), atLimit: '413' },
  { what: 'deployment that GitHub or GitLab announces', value: sizeWords(MAX_WEBHOOK_BYTES), atLimit: '413' },
  {
    what: 'deploys per ingest key',
    value: `${DEPLOY_RATE.perSecond} a second, ${DEPLOY_RATE.burst} in a burst`,
    atLimit: '429 with `Retry-After`',
  },
  {
    what: 'source map, as sent and after inflation',
    value: `${sizeWords(MAX_SOURCE_MAP_BYTES)}; ${withCommas(MAX_SOURCE_MAPS_OF_A_RELEASE)} of a release, ${withCommas(MAX_SOURCE_MAPS_OF_A_PROJECT)} and ${sizeWords(MAX_STORED_MAP_BYTES)} of a project as stored`,
    atLimit: '413; 409 for one that there is no room for',
  },
  {
    what: 'source maps per ingest key',
    value: `${SOURCE_MAP_RATE.perSecond} a second, ${SOURCE_MAP_RATE.burst} in a burst`,
    atLimit: '429 with `Retry-After`',
  },
  {
    what: 'calls per read key, over MCP and the reading API together',
    value: `${KEY_LIMITS.callsPerMinute} a minute, ${KEY_LIMITS.atOnce} under way at once; \`TIDEMARK_MCP_CALLS_PER_MINUTE\` and \`TIDEMARK_MCP_CALLS_AT_ONCE\` change it`,
    atLimit: '429 with `Retry-After`; over MCP as a JSON-RPC error that says how long to wait',
  },
  { what: 'MCP body', value: sizeWords(MAX_JSON_BODY_BYTES), atLimit: '413' },
  {
    what: 'active keys of a project, those of OAuth clients included',
    value: withCommas(MAX_ACTIVE_KEYS),
    atLimit: '409: revoke unused keys; an OAuth client gets `invalid_grant`',
  },
  {
    what: 'open invitations',
    value: `${MAX_OPEN_INVITATIONS} per project, ${withCommas(MAX_OPEN_INVITATIONS_OF_A_PERSON)} by one person`,
    atLimit: '409: revoke some',
  },
  {
    what: 'projects that a person owns who is not an owner of the instance',
    value: String(MAX_OWNED_PROJECTS),
    atLimit: '409: delete one',
  },
]
