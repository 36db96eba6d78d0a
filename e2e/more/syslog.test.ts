import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { CANARY } from '../bad-inputs/row.ts'
import { badSyslog } from '../bad-inputs/syslog.ts'
import { oldTime, startRsyslog, startSyslogNg } from '../support/clients/log-daemons.ts'
import { engineRows } from '../support/service/engine-query.ts'
import { createKey, createProject, type TestProject, withControl } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService } from '../support/service/service.ts'
import { metric, settled } from '../support/service/settled.ts'

const RECORDS = 10_000
const env = { TIDEMARK_SYSLOG_PORT: '0' }

let service: Service
let project: TestProject

beforeAll(async () => {
  service = await startService({ env })
  project = await createProject(service, 'syslog')
})

type Row = {
  sender: string
  records: number
  messages: number
  errors: number
  services: string[]
  environments: string[]
  hosts: number
  early: number
}

/** What is stored of a sender, once all of it has come. */
async function rowOf(sender: string, started: number): Promise<Row | undefined> {
  const giveUpAt = Date.now() + 120_000
  for (;;) {
    await settled(service)
    const [row] = await engineRows(
      service.dataDir,
      `SELECT extract(message, ' of (.*)$') AS sender, toUInt32(count()) AS records, toUInt32(uniqExact(message)) AS messages,
         toUInt32(countIf(level = 'error')) AS errors, groupUniqArray(service) AS services,
         groupUniqArray(environment) AS environments, toUInt32(countIf(host != '')) AS hosts,
         toUInt32(countIf(time < fromUnixTimestamp64Milli(${started - 2_000}) OR time > now64() + 60)) AS early
       FROM logs WHERE project = '${project.id}' AND message LIKE '% of ${sender}' GROUP BY sender`,
    )
    if ((row as Row | undefined)?.records === RECORDS || Date.now() > giveUpAt) return row as Row | undefined
    await sleep(100)
  }
}

const all = (sender: string): Row => ({
  sender,
  records: RECORDS,
  messages: RECORDS,
  errors: RECORDS / 10,
  services: ['shop'],
  environments: ['staging'],
  hosts: RECORDS,
  early: 0,
})

const isError = (number: number) => number % 10 === 0
const linesOf = (sender: string, write: (number: number, text: string) => string) =>
  Array.from({ length: RECORDS }, (_, number) => write(number, `record ${number} of ${sender}`)).join('')

it('the start says on which port syslog is taken', () => {
  expect(service.stdout()).toContain(`\nIt accepts syslog over plain TCP on port ${syslogPort()}\n`)
})

describe('ten thousand records', () => {
  it.each([
    ['logger with lengths', ['--rfc5424', '--octet-count']],
    ['logger with line ends', ['--rfc5424']],
  ])('of %s are all found once', async (sender, form) => {
    const started = Date.now()
    const file = join(temporaryFolder(), 'lines')
    writeFileSync(
      file,
      linesOf(sender, (number, text) => `<${isError(number) ? 131 : 134}>${text}\n`),
    )
    const own = [`key="${project.ingestKey}"`, 'environment="staging"'].flatMap((param) => ['--sd-param', param])
    const to = ['--tcp', '--server', '127.0.0.1', '--port', String(syslogPort())]
    await promisify(execFile)('logger', [
      ...to,
      ...form,
      '--sd-id',
      'tidemark@32473',
      ...own,
      '--tag',
      'shop',
      '--prio-prefix',
      '--file',
      file,
    ])
    expect(await rowOf(sender, started)).toEqual(all(sender))
  })

  it('of rsyslog are all found once', async (test) => {
    const started = Date.now()
    const rsyslog = await startRsyslog(`
template(name="Tidemark" type="string"
  string="<%PRI%>1 %TIMESTAMP:::date-rfc3339% %HOSTNAME% %APP-NAME% %PROCID% %MSGID% [tidemark@32473 key=\\"${project.ingestKey}\\" environment=\\"staging\\"] %msg%")
*.* action(type="omfwd" target="127.0.0.1" port="${syslogPort()}" protocol="tcp" tcp_framing="octet-counted" template="Tidemark"
  action.resumeRetryCount="-1" queue.type="LinkedList" queue.size="50000")
`)
    if (typeof rsyslog === 'string') return test.skip(rsyslog)
    await rsyslog.write(
      linesOf('rsyslog', (number, text) => `<${isError(number) ? 131 : 134}>${oldTime()} web-1 shop[17]: ${text}\n`),
    )
    expect(await rowOf('rsyslog', started)).toEqual(all('rsyslog'))
  })

  it('of syslog-ng are all found once', async (test) => {
    const started = Date.now()
    const syslogNg = await startSyslogNg(`
rewrite tidemark {
  set("${project.ingestKey}" value(".SDATA.tidemark@32473.key"));
  set("staging" value(".SDATA.tidemark@32473.environment"));
};
destination d { syslog("127.0.0.1" port(${syslogPort()}) transport("tcp")); };
log { source(s_src); rewrite(tidemark); destination(d); flags(flow-control); };
`)
    if (typeof syslogNg === 'string') return test.skip(syslogNg)
    const now = new Date().toISOString()
    await syslogNg.write(
      linesOf('syslog-ng', (number, text) => `<${isError(number) ? 131 : 134}>1 ${now} web-1 shop 17 - - ${text}\n`),
    )
    expect(await rowOf('syslog-ng', started)).toEqual(all('syslog-ng'))
  })
})

describe('bad input', () => {
  it.each(badSyslog)('$name: nothing is stored, and the service stays', async ({ send, isClosed }) => {
    const revoked = await withControl(service, async (control) => {
      const secret = await createKey(control, project.id, 'ingest')
      const [key] = await control.keys.list(project.id)
      await control.keys.revoke(key!.id, { by: 'operator', nowMs: Date.now() })
      return secret
    })
    const socket = connect({ host: '127.0.0.1', port: syslogPort() })
    socket.on('error', () => {})
    socket.resume()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (const chunk of send({ ingest: project.ingestKey, read: project.readKey, revoked })) {
      if (!socket.writable) break
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed])
    }
    // What is not closed by the service is ended here; either way it has read all it will.
    if (!isClosed) socket.end()
    await closed
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  })

  it('left nothing behind, neither in the store nor in the log', async () => {
    await settled(service)
    const found = await engineRows(
      service.dataDir,
      `SELECT toUInt32(count()) AS records FROM logs WHERE message LIKE '%${CANARY}%' OR message LIKE '%tidemark_ingest%'
         OR toString(attributes) LIKE '%tidemark_ingest%'`,
    )
    expect(found).toEqual([{ records: 0 }])
    expect(service.output()).not.toContain(project.ingestKey)
  })

  it('is counted', async () => {
    expect(await metric(service, 'tidemark_syslog_closed_total\\{reason="key"\\}')).toBeGreaterThan(5)
    expect(await metric(service, 'tidemark_syslog_refused_total')).toBeGreaterThan(5)
    expect(await metric(service, 'tidemark_syslog_messages_total')).toBeGreaterThanOrEqual(2 * RECORDS)
  })
})

describe('a service that is stopped, and one that is killed in the middle of a stream', () => {
  it('keep all that they counted as stored, once', async () => {
    // The log store comes last: until then all of it waits on the disk.
    const stopped = await startService({ env, engine: false })
    const own = await createProject(stopped, 'ended')
    const first = await stream(stopped, own, 'stopped')
    expect(await stopped.stop()).toEqual({ code: 0, signal: null })
    const killed = await startService({ env, engine: false, dataDir: stopped.dataDir })
    const second = await stream(killed, own, 'killed')
    await killed.stop('SIGKILL')
    const again = await startService({ dataDir: stopped.dataDir })
    await settled(again)
    const rows = await engineRows<{ message: string; records: number }>(
      again.dataDir,
      `SELECT message, toUInt32(count()) AS records FROM logs WHERE project = '${own.id}' GROUP BY message`,
    )
    const stored = new Map(rows.map(({ message, records }) => [message, records]))
    expect([...first, ...second].filter((message) => !stored.has(message))).toEqual([])
    expect([...stored.values()].filter((records) => records !== 1)).toEqual([])
  }, 300_000)
})

/** Sends until a hundred messages are counted as stored, and returns those; more are on the way. */
async function stream(to: Service, { ingestKey }: TestProject, name: string): Promise<string[]> {
  const socket = connect({ host: '127.0.0.1', port: portOf(to) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  let counted = 0
  for (let next = 0; counted < 100; counted = await messagesStored(to)) {
    for (const end = next + 10; next < end; next++) {
      socket.write(`<14>1 - - shop - - [tidemark key="${ingestKey}"] ${name} ${next}\n`)
    }
  }
  return Array.from({ length: counted }, (_, number) => `${name} ${number}`)
}

function messagesStored(of: Service): Promise<number> {
  return metric(of, 'tidemark_syslog_messages_total')
}

function syslogPort(): number {
  return portOf(service)
}

function portOf(one: Service): number {
  return Number(/"syslogPort":(\d+)/.exec(one.stderr())?.[1])
}
