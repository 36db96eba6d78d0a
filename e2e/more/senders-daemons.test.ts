/** rsyslog and syslog-ng that were set up for Elasticsearch, with the lines of docs/senders.md. */
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { fencesIn } from '../docs-snippets/fences.ts'
import { type LogDaemon, oldTime, startRsyslog, startSyslogNg } from '../support/clients/log-daemons.ts'
import { engineRows } from '../support/service/engine-query.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { checkout } from '../support/service/processes.ts'
import { type Service, sharedService } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

const RECORDS = 10_000
const PAGE = readFileSync(join(checkout, 'docs/senders.md'), 'utf8')

let service: Service
let project: TestProject

beforeAll(async () => {
  service = await sharedService()
  project = await createProject(service, 'daemons')
})

/** The page's lines under a heading, with the address and the key of this service. */
function documented(heading: string): string {
  const fence = fencesIn('docs/senders.md', PAGE).find((one) => one.heading === heading)
  const text = fence?.text ?? ''
  expect(text).toContain('4700')
  return text
    .replaceAll('localhost', '127.0.0.1')
    .replaceAll('4700', String(service.port))
    .replaceAll(/tidemark_ingest_…|`TIDEMARK_INGEST_KEY`/g, project.ingestKey)
}

async function found(sender: string, started: number): Promise<unknown> {
  const rows = async () => {
    await settled(service)
    return engineRows<{ records: number }>(
      service.dataDir,
      `SELECT toUInt32(count()) AS records, toUInt32(uniqExact(message)) AS messages,
         toUInt32(countIf(level = 'error')) AS errors, groupUniqArray(service) AS services,
         groupUniqArray(environment) AS environments, groupUniqArray(host) AS hosts,
         arraySort(groupUniqArrayArray(mapKeys(attributes))) AS attributes,
         toUInt32(countIf(time < fromUnixTimestamp64Milli(${started - 2_000}) OR time > now64() + 60)) AS early
       FROM logs WHERE project = '${project.id}' AND message LIKE 'record % of ${sender}'`,
    )
  }
  await expect.poll(async () => (await rows())[0]?.records, { timeout: 120_000, interval: 200 }).toBe(RECORDS)
  return (await rows())[0]
}

it.for<[string, (config: string) => Promise<LogDaemon | string>, string, (priority: number) => string, string[]]>([
  ['rsyslog', startRsyslog, '', (priority) => `<${priority}>${oldTime()} web-1 shop[17]: `, ['_index']],
  [
    'syslog-ng',
    startSyslogNg,
    'log { source(s_src); destination(d_tidemark); flags(flow-control); };\n',
    (priority) => `<${priority}>1 ${new Date().toISOString()} web-1 shop 17 - - `,
    ['FACILITY', 'PID', '_index'],
  ],
])(
  'ten thousand records of %s are all found once',
  { timeout: 300_000 },
  async ([sender, start, more, headOf, attributes], { skip }) => {
    const started = Date.now()
    const daemon = await start(`${documented(sender)}\n${more}`)
    if (typeof daemon === 'string') return skip(daemon)
    const lines = Array.from(
      { length: RECORDS },
      (_, number) => `${headOf(number % 10 === 0 ? 131 : 134)}record ${number} of ${sender}\n`,
    )
    await daemon.write(lines.join(''))
    expect(await found(sender, started)).toEqual({
      records: RECORDS,
      messages: RECORDS,
      errors: RECORDS / 10,
      services: ['shop'],
      environments: ['production'],
      hosts: ['web-1'],
      attributes,
      early: 0,
    })
  },
)

it('the messages that rsyslog sends over syslog begin as their programs wrote them', { timeout: 60_000 }, async ({
  skip,
}) => {
  const fence = fencesIn('docs/senders.md', PAGE).find((one) => one.heading === 'rsyslog, over syslog')
  const [template] = /^template\(.*\n.*\)$/m.exec(fence?.text ?? '') ?? []
  const received = createServer()
  await new Promise<void>((resolve) => received.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void received.close())
  const { port } = received.address() as AddressInfo
  const action = `*.* action(type="omfwd" target="127.0.0.1" port="${port}" protocol="tcp" template="Tidemark")`
  const daemon = await startRsyslog(`${template}\n${action}\n`)
  if (typeof daemon === 'string') return skip(daemon)
  let text = ''
  received.on('connection', (socket) => socket.on('data', (bytes) => (text += bytes)))
  await daemon.write(`<131>${oldTime()} web-1 shop[17]: payment failed\n<131>${oldTime()} web-1 shop payment failed\n`)
  await expect.poll(() => text.split('\n').length, { timeout: 30_000 }).toBe(3)
  // The one space is the separator of the protocol.
  expect(text.match(/"\] payment failed$/gm)).toHaveLength(2)
})
