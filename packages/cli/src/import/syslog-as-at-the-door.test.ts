import { expect, it } from 'vitest'
import { framed } from '../../../server/src/ingest/senders/framed.ts'
import { readBody } from '../../../server/src/ingest/testing/read-body.ts'
import { storedByImport, told } from '../testing/stored-by-import.ts'

const atTheDoor = (line: string) => {
  const { records, rejected } = readBody(framed([Buffer.from(line)]), { sender: { protocol: 'syslog' }, type: '' })
  expect(rejected).toEqual([])
  return told(records[0]!)
}

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
])('a line of %s is the same record in an import and at the door', async (_, line) => {
  expect(await storedByImport(line, 'text')).toEqual(atTheDoor(line))
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
