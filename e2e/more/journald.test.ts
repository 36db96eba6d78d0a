import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findLogDaemon } from '../../scripts/log-daemons.mjs'
import { engineRows } from '../support/service/engine-query.ts'
import { createProject, type TestProject, withControl } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService } from '../support/service/service.ts'
import { metric, settled } from '../support/service/settled.ts'

const RECORDS = 10_000
const FROM_US = (Math.floor(Date.now() / 1_000) - 3_600) * 1_000_000

let service: Service
let project: TestProject

beforeAll(async () => {
  service = await startService()
  project = await createProject(service, 'journald')
})

/** Every tenth is an error, and every hundredth has two lines. */
function exported(name: string): Buffer {
  const parts: (string | Buffer)[] = []
  for (let number = 0; number < RECORDS; number++) {
    const place = `i=${(number + 1).toString(16)};b=${'1'.repeat(32)};m=${number.toString(16)};t=${(FROM_US + number).toString(16)}`
    parts.push(
      `__CURSOR=s=${'0'.repeat(32)};${place};x=${number.toString(16)}\n`,
      `__REALTIME_TIMESTAMP=${FROM_US + number * 1_000}\n__MONOTONIC_TIMESTAMP=${number * 1_000 + 5}\n_BOOT_ID=${'1'.repeat(32)}\n`,
      `PRIORITY=${number % 10 === 0 ? 3 : 6}\nSYSLOG_IDENTIFIER=node\n_SYSTEMD_UNIT=shop.service\n_HOSTNAME=web-1\n_PID=17\n`,
      'ENVIRONMENT=staging\n',
      number % 100 === 0
        ? binary('MESSAGE', `record ${number} of ${name}\nand more`)
        : `MESSAGE=record ${number} of ${name}\n`,
      '\n',
    )
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

function binary(name: string, value: string): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(Buffer.byteLength(value)))
  return Buffer.concat([Buffer.from(`${name}\n`), size, Buffer.from(`${value}\n`)])
}

const rowsOf = async (of: Service, { id }: TestProject, name: string) => {
  await settled(of)
  return engineRows(
    of.dataDir,
    `SELECT toUInt32(count()) AS records, toUInt32(uniqExact(message)) AS messages, toUInt32(countIf(level = 'error')) AS errors,
       toUInt32(countIf(message LIKE '%and more')) AS long, groupUniqArray(service) AS services, groupUniqArray(host) AS hosts,
       groupUniqArray(environment) AS environments, toUInt32(countIf(attributes['journald.pid'] = '"17"')) AS processes,
       toUInt32(countIf(toUnixTimestamp64Micro(time) = ${FROM_US} + 1000 * toUInt64(extract(message, 'record (\\\\d+)')))) AS times
     FROM logs WHERE project = '${id}' AND message LIKE 'record % of ${name}%'`,
  )
}
const ALL = {
  records: RECORDS,
  messages: RECORDS,
  errors: RECORDS / 10,
  long: RECORDS / 100,
  services: ['shop'],
  hosts: ['web-1'],
  environments: ['staging'],
  processes: RECORDS,
  times: RECORDS,
}

describe('ten thousand entries', () => {
  it('of systemd-journal-upload are all found once, also when it is told to begin again', async (test) => {
    const daemon = await findLogDaemon('journal-upload')
    if (typeof daemon === 'string') return test.skip(daemon)
    const folder = temporaryFolder()
    const journal = join(folder, 'shop.journal')
    const state = join(folder, 'state')
    await run(
      join(dirname(daemon.program), 'systemd-journal-remote'),
      ['-o', journal, '-'],
      exported('upload'),
      daemon.env,
    )
    const { host } = new URL(service.url)
    const upload = () =>
      run(
        daemon.program,
        [
          `--url=http://tidemark:${project.ingestKey}@${host}`,
          `--file=${journal}`,
          `--save-state=${state}`,
          '--follow=no',
        ],
        '',
        daemon.env,
      )
    await upload()
    expect(await rowsOf(service, project, 'upload')).toEqual([ALL])
    expect(existsSync(state)).toBe(true)
    // As if it had been cut off before the answer to its first upload: it knows of none.
    writeFileSync(state, '')
    await upload()
    expect(await rowsOf(service, project, 'upload')).toEqual([ALL])
    expect(service.output()).not.toContain(project.ingestKey)
    expect(readFileSync(state, 'utf8')).toContain('LAST_CURSOR=')
  })
})

describe('a service that is killed in the middle of an upload', () => {
  it('has every entry once when the uploader begins again', async () => {
    // The log store comes last: until then all of it waits on the disk.
    const killed = await startService({ engine: false })
    const own = await createProject(killed, 'killed')
    const bytes = exported('killed')
    const cut = open(killed, own)
    cut.write(bytes.subarray(0, bytes.length / 2))
    await expect.poll(() => metric(killed, 'tidemark_ingest_records_total'), { timeout: 60_000 }).toBeGreaterThan(1_000)
    await killed.stop('SIGKILL')
    const again = await startService({ dataDir: killed.dataDir })
    const whole = open(again, own)
    whole.end(bytes)
    const [answer] = await once(whole, 'response')
    expect([answer.statusCode, (await answer.setEncoding('utf8').toArray()).join('')]).toEqual([
      200,
      `${RECORDS.toLocaleString('en-US')} entries are stored.\n`,
    ])
    expect(await rowsOf(again, own, 'killed')).toEqual([ALL])
  }, 300_000)
})

describe('an upload whose key is revoked', () => {
  it('is ended although nothing more comes', async () => {
    const own = await createProject(service, 'revoked')
    const upload = open(service, own)
    upload.setHeader('expect', '100-continue')
    upload.flushHeaders()
    // It has begun.
    await once(upload, 'continue')
    upload.write('MESSAGE=one\n\n')
    await withControl(service, async ({ keys }) => {
      const key = await keys.authenticate(own.ingestKey)
      if (key.status !== 'ok') throw new Error('The key is not known.')
      await keys.revoke(key.key.id, { by: 'test', nowMs: Date.now() })
    })
    const [answer] = await once(upload, 'response')
    expect([answer.statusCode, answer.headers.connection]).toEqual([401, 'close'])
    upload.destroy()
  })
})

function open(to: Service, { ingestKey }: TestProject) {
  const upload = request(`${to.url}/upload`, {
    method: 'POST',
    auth: `tidemark:${ingestKey}`,
    headers: { 'content-type': 'application/vnd.fdo.journal' },
  })
  upload.on('error', () => {})
  return upload
}

async function run(
  program: string,
  args: string[],
  input: string | Buffer,
  env: Record<string, string>,
): Promise<void> {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'ignore', 'pipe'] })
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text) => errors.push(text))
  child.stdin.end(input)
  const [code] = await once(child, 'exit')
  expect([code, code === 0 ? '' : errors.join('')]).toEqual([0, ''])
}
