/** What a stranger or a broken program may send to the port for syslog. Nothing of it may be stored. */
import { CANARY } from './row.ts'

type SyslogKeys = { ingest: string; read: string; revoked: string }
type BadSyslog = {
  name: string
  send: (keys: SyslogKeys) => Iterable<string | Buffer>
  /** Whether the service closes the connection; otherwise the message is passed over. */
  isClosed: boolean
}

const message = (key: string, { time = '-', text = CANARY, more = '' } = {}) =>
  `<14>1 ${time} h a - - [tidemark@32473 key="${key}"]${more} ${text}\n`

const closed = (name: string, send: BadSyslog['send']): BadSyslog => ({ name, send, isClosed: true })
const passedOver = (name: string, send: BadSyslog['send']): BadSyslog => ({ name, send, isClosed: false })

function* endless(beginning: string, megabytes: number): Iterable<string | Buffer> {
  yield beginning
  const chunk = Buffer.alloc(1024 * 1024, CANARY)
  for (let sent = 0; sent < megabytes; sent++) yield chunk
}

export const badSyslog: BadSyslog[] = [
  closed('no key', () => [`<14>1 - h a - - - ${CANARY}\n`]),
  closed('a message of the older form, which has no place for a key', () => [`<14>Nov 15 12:00:00 h a: ${CANARY}\n`]),
  closed('no syslog at all', () => [`GET /${CANARY} HTTP/1.1\r\nHost: localhost\r\n\r\n`]),
  closed('the beginning of TLS', () => [Buffer.from('16030100a5010000a10303', 'hex'), `${CANARY}\n`]),
  closed('an unknown key', () => [message(`tidemark_ingest_${'0'.repeat(36)}`)]),
  closed('a key with a wrong form', () => [message('hello')]),
  closed('an empty key', () => [message('')]),
  closed('a read key', ({ read }) => [message(read)]),
  closed('a revoked key', ({ revoked }) => [message(revoked)]),
  closed('a key in the text', ({ ingest }) => [`<14>1 - h a - - - ${ingest} ${CANARY}\n`]),
  closed('a key in the element of somebody else', ({ ingest }) => [
    `<14>1 - h a - - [x@1 key="${ingest}"] ${CANARY}\n`,
  ]),
  closed('a length of a terabyte', ({ ingest }) => [`999999999999 ${message(ingest)}`]),
  closed('NULs before a message without a key', () => [Buffer.alloc(200_000), `${CANARY}\n`]),
  passedOver('a number without an end', () => ['1'.repeat(100_000)]),
  passedOver('two keys', ({ ingest, read }) => [message(ingest, { more: `[tidemark key="${read}"]` })]),
  passedOver('structured data without an end', ({ ingest }) => [
    `<14>1 - h a - - [tidemark key="${ingest}" ${CANARY}\n`,
  ]),
  passedOver('thousands of elements', ({ ingest }) => [message(ingest, { more: '[a@1 b="c"]'.repeat(4_000) })]),
  passedOver('thousands of parameters', ({ ingest }) => [message(ingest, { more: `[a@1${' b="c"'.repeat(8_000)}]` })]),
  passedOver('a time that is none', ({ ingest }) => [message(ingest, { time: '2026-13-45T99:00:00Z' })]),
  passedOver('a time of long ago', ({ ingest }) => [message(ingest, { time: '1970-01-01T00:00:00Z' })]),
  passedOver('a time far ahead', ({ ingest }) => [message(ingest, { time: '2099-01-01T00:00:00Z' })]),
  passedOver('a length that is never reached', ({ ingest }) => [`5000 ${message(ingest)}`]),
  passedOver('a message that is too long', ({ ingest }) => [message(ingest, { text: CANARY.repeat(4_000) })]),
  passedOver('a line of two hundred megabytes', ({ ingest }) => endless(message(ingest).trimEnd(), 200)),
  passedOver('a counted message of fifty megabytes', ({ ingest }) =>
    endless(`52000000 ${message(ingest).trimEnd()}`, 49),
  ),
  passedOver('no text', ({ ingest }) => [`<14>1 - h a - - [tidemark key="${ingest}"]\n`]),
]
