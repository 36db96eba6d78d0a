import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSecret } from '../packages/server/src/control/keys/key-secret.ts'
import { sendRaw } from '../packages/server/src/testing/raw-http.ts'
import { errorAnswer } from '../packages/wire/src/error.ts'
import { DEPLOY_FIELDS } from './bad-inputs/deploy-fields.ts'
import { ENCODINGS } from './bad-inputs/encodings.ts'
import { BAD_JOURNALS } from './bad-inputs/journald.ts'
import { KEYS } from './bad-inputs/keys.ts'
import { LOG_BODIES } from './bad-inputs/log-bodies.ts'
import { PATHS } from './bad-inputs/paths.ts'
import { PROTOBUF_BODIES } from './bad-inputs/protobuf.ts'
import { type BadInput, CANARY, goodDeploy, type Keys, record, type Sent } from './bad-inputs/row.ts'
import { BAD_SENDINGS, type SenderProtocol } from './bad-inputs/senders.ts'
import { engineRows } from './support/service/engine-query.ts'
import { createKey, createProject, type TestProject, withControl } from './support/service/ingest-project.ts'
import { type Service, sharedService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

const ALL = [...LOG_BODIES, ...ENCODINGS, ...PROTOBUF_BODIES, ...KEYS, ...DEPLOY_FIELDS, ...PATHS]
const agent = new Agent({ keepAlive: false })

let service: Service
let project: TestProject
let gone: TestProject
let keys: Keys

beforeAll(async () => {
  service = await sharedService()
  project = await createProject(service, 'strict')
  gone = await createProject(service, 'gone')
  keys = await withControl(service, async (control) => {
    const change = { by: 'operator', nowMs: Date.now() }
    const revoked = await createKey(control, project.id, 'ingest')
    const [newest] = await control.keys.list(project.id)
    await control.keys.revoke(newest?.id ?? '', change)
    await control.projects.delete((await control.projects.find(gone.id)).id, change)
    return {
      ingest: project.ingestKey,
      read: project.readKey,
      revoked,
      expired: await createKey(control, project.id, 'ingest', Date.now() - 1),
      unknown: newSecret('ingest'),
      mistyped: project.ingestKey.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
      ofDeletedProject: gone.ingestKey,
    }
  })
})

afterAll(() => agent.destroy())

describe('a bad input is refused with its reason, and the service carries on', () => {
  it.each(ALL.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const answer = await send(row.send(keys))
    expectRefusal(answer, row)
    await expectAlive()
  })
})

describe('a bad request of another sender is refused in the form of its protocol', () => {
  it.each(BAD_SENDINGS.map((row) => [row.name, row] as const))('%s', async (_, { protocol, status, send: build }) => {
    const answer = await send(build(keys))
    const text = answer.body.toString()
    expect({ status: answer.status, text }).toMatchObject({ status })
    SENDER_FORMS[protocol](answer, text)
    await expectAlive()
  })
})

describe('a bad journal', () => {
  it.each(BAD_JOURNALS.map((row) => [row.name, row] as const))(
    '%s',
    async (_, { status, words, headers, body, key }) => {
      const authorization = key === null ? {} : { authorization: `Basic ${btoa(`any:${keys[key ?? 'ingest']}`)}` }
      const type = { 'content-type': 'application/vnd.fdo.journal' }
      const answer = await send({
        path: '/upload',
        body,
        chunked: true,
        headers: { ...authorization, ...type, ...headers },
      })
      expect([answer.status, answer.body.toString()]).toEqual([status, expect.stringMatching(words)])
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      await expectAlive()
    },
  )
})

describe('a connection that does not keep its word', () => {
  const head = (...lines: string[]) =>
    [
      'POST /v1/logs HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${keys.ingest}`,
      'Content-Type: application/json',
      ...lines,
    ].join('\r\n')
  const good = () => JSON.stringify([record()])

  it.each([
    ['chunks that stop', () => `${head('Transfer-Encoding: chunked')}\r\n\r\n${chunk(good())}`],
    ['a chunk that is cut off', () => `${head('Transfer-Encoding: chunked')}\r\n\r\nff\r\n${good()}`],
    ['a length that is larger than the body', () => `${head('Content-Length: 5000')}\r\n\r\n${good()}`],
    ['headers without an end', () => head('X-Note: unfinished')],
  ])('by %s and vanishing is forgotten', async (_, bytes) => {
    await vanishAfter(bytes())
    await expectAlive()
  })

  it.each([
    ['chunks that stop', () => `${head('Transfer-Encoding: chunked')}\r\n\r\n${chunk(good())}`],
    ['a length that is larger than the body', () => `${head('Content-Length: 5000')}\r\n\r\n${good()}`],
  ])('by %s before it is closed is refused', async (_, bytes) => {
    const text = await endAfter(bytes())
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"code":"invalid_request"')
    await expectAlive()
  })

  it.each<[string, () => string, number[]]>([
    ['a length that is smaller than the body', () => `${head('Content-Length: 9')}\r\n\r\n${good()}`, [400]],
    ['a length below zero', () => `${head('Content-Length: -1')}\r\n\r\n${good()}`, [400]],
    ['a length in words', () => `${head('Content-Length: many')}\r\n\r\n${good()}`, [400]],
    [
      'a length beside chunks',
      () =>
        `${head(`Content-Length: ${good().length}`, 'Transfer-Encoding: chunked')}\r\n\r\n${chunk(good())}0\r\n\r\n`,
      [400],
    ],
    ['a chunk size that is none', () => `${head('Transfer-Encoding: chunked')}\r\n\r\nzz\r\n${good()}`, [400]],
    [
      'a good question with nonsense after it',
      () => `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\x16\x03\x01${CANARY}\r\n\r\n`,
      [400],
    ],
    [
      'a refused batch with nonsense after it',
      () => `${head('Content-Length: 2')}\r\n\r\n{,NONSENSE ${CANARY}\r\n\r\n`,
      [400],
    ],
    [
      'an expectation before a bad body',
      () => `${head('Expect: 100-continue', 'Content-Length: 8', 'Connection: close')}\r\n\r\n${CANARY.slice(0, 8)}`,
      [100, 400],
    ],
    [
      'an expectation that nobody knows',
      () => `${head('Expect: 42-bananas', 'Content-Length: 8', 'Connection: close')}\r\n\r\n${CANARY.slice(0, 8)}`,
      [400],
    ],
  ])('by %s gets an error and is closed', async (_, bytes, statuses) => {
    const { text } = await sendRaw(socketPort(), bytes())
    expect([...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))).toEqual(statuses)
    await expectAlive()
  })
})

describe('after all of them', () => {
  it('nothing is stored: one good record and one good deploy are the only ones', async () => {
    const good = JSON.stringify({ message: 'the only good record' })
    const key = { 'x-api-key': keys.ingest, 'content-type': 'application/json' }
    expect(await send({ path: '/v1/logs', headers: key, body: good })).toMatchObject({ status: 200 })
    const sent = JSON.stringify({ ...goodDeploy(keys.ingest), sha: 'good' })
    expect(await send({ path: '/v1/deploys', headers: key, body: sent })).toMatchObject({ status: 201 })
    await settled(service)
    const rows = await engineRows(
      service.dataDir,
      `SELECT message FROM logs WHERE project IN ('${project.id}', '${gone.id}') LIMIT 10`,
    )
    expect(rows).toEqual([{ message: 'the only good record' }])
    const deploys = await withControl(service, (control) => control.deploys.list(project.id as never, { limit: 10 }))
    expect(deploys.map(({ sha }) => sha)).toEqual(['good'])
  })

  it('the log of the service holds neither a body nor a key nor a failure of its own', () => {
    expect(service.output()).not.toContain(CANARY)
    for (const key of Object.values(keys)) expect(service.output()).not.toContain(key)
    expect(service.stderr().match(/^.*"level":"error".*$/gm) ?? []).toEqual([])
  })
})

const SENDER_FORMS: Record<SenderProtocol, (answer: Answer, text: string) => void> = {
  loki({ headers }, text) {
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^[A-Z0-9].*\.\n$/)
  },
  elasticsearch({ headers, status }, text) {
    expect(headers['x-elastic-product']).toBe('Elasticsearch')
    const reason = expect.stringMatching(/\.$/)
    const type = expect.stringMatching(/_exception$/)
    expect(JSON.parse(text)).toEqual({ status, error: { type, reason, root_cause: [{ type, reason }] } })
  },
  datadog({ status }, text) {
    const detail = expect.stringMatching(/\.$/)
    expect(JSON.parse(text)).toEqual({ errors: [{ status: String(status), title: expect.any(String), detail }] })
  },
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

function expectRefusal(answer: Answer, row: BadInput): void {
  const text = answer.body.toString()
  expect({ status: answer.status, text }).toMatchObject({ status: row.status })
  if (row.allow !== undefined) expect(answer.headers.allow).toBe(row.allow)
  if (answer.headers['content-type']?.startsWith('application/x-protobuf')) {
    expect(row.answersProtobuf).toBe(true)
    expect([answer.body[0], answer.body.length]).toEqual([0x12, expect.any(Number)])
    expect(answer.body.subarray(2).toString()).toMatch(/\.$/)
    return
  }
  expect(row.answersProtobuf ?? false).toBe(false)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  if (text === '') return // HEAD
  const parsed = JSON.parse(text)
  const { error } = errorAnswer.parse(parsed)
  expect(error.code).toBe(row.code)
  if (row.fields !== undefined) expect(error.fields?.map(({ path }) => path)).toEqual(row.fields)
  if (row.rejected !== undefined) {
    expect(parsed.accepted).toBe(0)
    expect(parsed.rejected).toEqual(
      Array.from({ length: row.rejected }, (_, index) => ({ index, reason: expect.stringMatching(/\.$/) })),
    )
  }
}

async function expectAlive(): Promise<void> {
  const response = await fetch(`${service.url}/healthz`)
  expect(await response.json()).toEqual({ status: 'ok' })
}

/** Byte for byte: no header is added but the length. An early answer counts although the rest can no longer be sent. */
function send({ method = 'POST', path, headers = {}, body = '', chunked = false }: Sent): Promise<Answer> {
  const bytes = Buffer.from(body)
  const length = chunked || method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(bytes.length) }
  return new Promise((resolve, reject) => {
    const sending = request({
      agent,
      port: service.port,
      host: '127.0.0.1',
      method,
      path,
      headers: { ...headers, ...length },
    })
    sending.on('response', async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
      sending.destroy()
    })
    sending.on('error', reject)
    sending.end(bytes)
  })
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** Of a node itself: what stands before several would answer such bytes for them. */
function socketPort(): number {
  return service.nodes[0]!.port
}

async function vanishAfter(bytes: string): Promise<void> {
  const socket = connect({ port: socketPort(), host: '127.0.0.1' })
  await new Promise((resolve) => socket.write(bytes, resolve))
  await sleep(20)
  socket.resetAndDestroy()
}

/** Ends its own side only, and reads what the server still says. */
async function endAfter(bytes: string): Promise<string> {
  const socket = connect({ port: socketPort(), host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  socket.end(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}
