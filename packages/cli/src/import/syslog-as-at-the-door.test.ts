import { expect, it } from 'vitest'
import { framed } from '../../../server/src/ingest/senders/framed.ts'
import { takeKey } from '../../../server/src/ingest/senders/syslog/take-key.ts'
import { readBody } from '../../../server/src/ingest/testing/read-body.ts'
import { sentByImport, storedByImport, told } from '../testing/stored-by-import.ts'

const atTheDoor = (line: string | Buffer) => {
  const { message } = takeKey(Buffer.from(line))!
  const { records, rejected } = readBody(framed([message]), { sender: { protocol: 'syslog' }, type: '' })
  expect(rejected).toEqual([])
  return told(records[0]!)
}

const HEAD = '<34>1 2026-01-02T03:04:05.123456Z web-1 su 4711 ID47'
const JSON_TEXT = '{"msg":"x","level":"error","service":"cart","order":7}'

it.each([
  ['a program', '<34>Jan  2 03:04:05 web-1 sshd[4711]: ERROR: no such user'],
  ['a program without a PID', '<13>Jan  2 03:04:05 web-1 cron: done'],
  ['a program that names no host', '<13>Jan  2 03:04:05 cron: done'],
  ['a host that names no program', '<13>Jan  2 03:04:05 web-1 link is down'],
  ['a device with a year, a zone and parts of a second', '<187>*Jan  2 2026 03:04:05.123 UTC: sw1 %SYS-5[a.b]: up'],
  ['a device with a zone and no year', '<187>Jan  2 03:04:05 CET sw1 snmp@agent: up'],
  ['a daemon with a time of RFC 3339', '<30>2026-01-02T03:04:05.123456+01:00 web-1 app[7]: served'],
  ['a program that logs JSON', '<30>Jan  2 03:04:05 web-1 app[7]: {"msg":"x","level":"error","order":7}'],
  [
    'a program that logs JSON and says who it is',
    '<30>Jan  2 03:04:05 web-1 node[7]: {"msg":"x","service":"cart","hostname":"c1","time":"2026-01-02T03:04:00Z"}',
  ],
  ['a program of RFC 5424', `${HEAD} - no such user`],
  ['a program of RFC 5424 whose text names a level', `${HEAD} - ERROR: no such user`],
  ['a program of RFC 5424 that says nothing of itself', '<14>1 - - - - - - hello'],
  ['a host alone', '<14>1 - web-1 - - - - hello'],
  ['a program alone', '<14>1 - - shop - - - hello'],
  ['a process alone', '<14>1 - - - 17 - - hello'],
  ['a message id alone', '<14>1 - - - - ID47 - hello'],
  ['a time in another zone', '<14>1 2026-01-02T03:04:05+02:00 - - - - - hello'],
  ['a time without a zone', '<14>1 2026-01-02T03:04:05 - - - - - hello'],
  ['structured data', `${HEAD} [exampleSDID@32473 iut="3" eventSource="App"] text`],
  ['structured data that is escaped', `${HEAD} [a@1 b="say \\"x\\" [1\\] c:\\\\ \\n" c=""] text`],
  ['several elements', `${HEAD} [a@1 b="c"][a@1 b="d" b="ü"][origin ip="::1"][empty@1] text`],
  ['a program that names itself', `${HEAD} [tidemark@32473 service="shop" environment="eu" release="1.2" x="y"] text`],
  [
    'a program that names its level, its host and its trace',
    `${HEAD} [tidemark level="warn" host="h" trace_id="t1"] x`,
  ],
  ['a program that says again what the header says', `${HEAD} [tidemark service="su" level="fatal" host="web-1"] x`],
  ['a program that calls a parameter like its time and message', `${HEAD} [tidemark time="1" message="m" name="n"] x`],
  ['a program with a key', `${HEAD} [tidemark@32473 key="tidemark_ingest_0123" env="eu"][a@1 key="b"] text`],
  ['elements that are called like fields', `${HEAD} [service name="x"][host name="y"][log level="z"] text`],
  ['RFC 5424 with JSON', `${HEAD} - ${JSON_TEXT}`],
  ['RFC 5424 with JSON and everything else', `${HEAD} [tidemark service="shop" env="eu"][a@1 order="8"] ${JSON_TEXT}`],
  ['RFC 5424 with JSON that has a time', `${HEAD} - {"msg":"x","time":"2026-01-02T03:04:00Z"}`],
  ['RFC 5424 with JSON that alone has a time', '<14>1 - - - - - - {"msg":"x","time":"2026-01-02T03:04:00Z"}'],
  ['a text with a byte order mark', `${HEAD} - \uFEFFthe café is closed`],
  ['JSON with a byte order mark', `${HEAD} [a@1 b="c"] \uFEFF${JSON_TEXT}`],
  ['a text without a space before it', `${HEAD} [a@1 b="c"]text`],
  ['spaces before the text', `${HEAD} -   text`],
])('a line of %s is the same record in an import and at the door', async (_, line) => {
  expect(await storedByImport(line, 'text')).toEqual(atTheDoor(line))
})

it('bytes that are no UTF-8 become the same in an import and at the door', async () => {
  const line = Buffer.from(`${HEAD} [a@1 b="caf\xe9"] caf\xe9 \xc3`, 'latin1')
  expect(await storedByImport(line, 'text')).toEqual(atTheDoor(line))
})

it.each([
  ['a time that is none', '<34>1 yesterday web-1 su - - - text'],
  ['a day that does not exist', '<34>1 2026-02-31T03:04:05Z web-1 su - - - text'],
  ['a header that ends early', '<34>1 2026-01-02T03:04:05Z web-1 su'],
  ['a host that is too long', `<34>1 2026-01-02T03:04:05Z ${'h'.repeat(256)} su - - - text`],
  ['no structured data', `${HEAD} text`],
  ['an element without its end', `${HEAD} [a@1 b="c" text`],
  ['a value without its end', `${HEAD} [a@1 b="c] text`],
  ['a value without quotes', `${HEAD} [a@1 b=c] text`],
  ['more parameters than a record holds', `${HEAD} [a@1${' b="c"'.repeat(300)}] text`],
])('a line of RFC 5424 with %s is a text of its own, as it stands', async (_, line) => {
  const record = await storedByImport(line, 'text')
  expect(record).toMatchObject({ message: line, level: 'info', service: '', host: '', attributes: {} })
})

it('a line of RFC 5424 begins a record, even where it is malformed or has no time, and stack traces belong to it', async () => {
  const lines = [`${HEAD} - one`, '    at x.js:1', '<14>1 - - - - - - two', `${HEAD} three`, `${HEAD} - {"msg":"four"}`]
  const sent = (await sentByImport(lines.join('\n'), 'text')).map((json) => JSON.parse(json))
  expect(sent.map(({ msg, message }) => msg ?? message)).toEqual(['one\n    at x.js:1', 'two', `${HEAD} three`, 'four'])
})

it.each([
  ['RFC 5424', `${HEAD} [tidemark service="shop"][a@1 b="c"]`, 'shop'],
  ['RFC 3164', '<13>Jan  2 03:04:05 web-1 cron:', 'cron'],
])('a line of %s that has no text, which the door refuses, is told by the whole line', async (_, line, service) => {
  const record = await storedByImport(line, 'text')
  expect(record).toMatchObject({ message: line, host: 'web-1', service })
})

it.each([
  ['that is well formed', `${HEAD} [tidemark@32473 key="tidemark_ingest_0123" env="eu"] text`],
  ['that has no text', `${HEAD} [tidemark@32473 key="tidemark_ingest_0123" env="eu"]`],
  ['whose time is none', '<34>1 yesterday h su - - [tidemark key="tidemark_ingest_0123"][tidemark key="other"] text'],
  ['whose data has no end', `${HEAD} [a@1 b="c"][tidemark@32473 env="eu" key="tidemark_ingest_0123" text`],
  ['whose value has no end', `${HEAD} [tidemark key="tidemark_ingest_0123 text`],
])('a key in a line of RFC 5424 %s is never sent on', async (_, line) => {
  const [json] = await sentByImport(line, 'text')
  expect(json).toMatch(/text|env/)
  expect(json).not.toMatch(/key|0123|other/)
})

it('an element that is called like a field fills none, also where nothing else does', async () => {
  const line = '<14>1 - - - - - [service name="x"][error message="y"] text'
  const record = await storedByImport(line, 'text')
  expect(record).toMatchObject({ service: '', error: null, message: 'text' })
  expect(record.attributes).toEqual({ 'service.name#2': 'x', 'error.message#2': 'y', 'syslog.facility': 'user' })
  expect(atTheDoor(line)).toMatchObject({ service: '', error: null, attributes: { 'service.name': 'x' } })
})

it('without a priority, as files have it, only what the priority says is missing, and the text may name a level', async () => {
  const line = 'Jan  2 03:04:05 web-1 sshd[4711]: ERROR: no such user'
  const door = atTheDoor(`<13>${line}`)
  expect(await storedByImport(line, 'text')).toEqual({
    ...door,
    level: 'error',
    message: 'no such user',
    attributes: { 'syslog.procid': '4711' },
  })
})

it('a line that begins with a month is of syslog only when it names its host and its program', async () => {
  const line = 'Jan  2 03:04:05 nothing more is known'
  expect(await storedByImport(line, 'text')).toMatchObject({ message: line, attributes: {} })
  const other = '2026-01-02T03:04:05Z ERROR main: out of stock'
  expect(await storedByImport(other, 'text')).toMatchObject({ level: 'error', service: '', host: '' })
})
