import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../errors.ts'
import type { AcceptedBatch } from '../ingest/door/accept.ts'
import { createLog } from '../log.ts'
import type { KeyCaller } from '../model/caller.ts'
import { SYSLOG_LIMITS, type SyslogLimits } from './limits.ts'
import { createSyslogServer, type SyslogServer, type SyslogSettings } from './server.ts'

/** Far longer than anything takes here, on a machine that has other things to do as well. */
const PATIENTLY = { timeout: 25_000 }
const GOOD = 'tidemark_ingest_good'
const OTHER = 'tidemark_ingest_other'
const BAD = 'tidemark_ingest_bad'
const ID = 'key_01990000-0000-7000-8000-0000000000ab'
const message = (text: string, key = GOOD) => `<14>1 - - - - - [tidemark@32473 key="${key}"] ${text}\n`

const counted = (text: string) => `${Buffer.byteLength(text)} ${text}`

type Stored = { key: string; texts: string[] }
let stored: Stored[]
let everything: string
let outcome: (texts: string[]) => Partial<AcceptedBatch> | Promise<Partial<AcceptedBatch>>
let revoked: Set<string>
let asked: string[]
let log: ReturnType<typeof createLog>
let server: SyslogServer
let port: number
const sockets = new Set<Socket>()

const accept = {
  async holderOf(key: { secret: string } | { id: string }) {
    const name = 'secret' in key ? key.secret : key.id
    asked.push(name)
    if (![GOOD, OTHER, ID].includes(name) || revoked.has(name)) throw new AppError('unauthorized', 'No such key.')
    return { kind: 'key', keyId: name } as KeyCaller
  },
  async batch(caller: KeyCaller | undefined, _headers: object, body: Buffer): Promise<AcceptedBatch> {
    everything += body.toString('latin1')
    const texts: string[] = []
    for (let at = 0; at < body.length; ) {
      const end = at + 4 + body.readUInt32BE(at)
      texts.push(body.toString('utf8', at + 4, end).replace(/^.*\] |^<14>/, ''))
      at = end
    }
    const answer = {
      protocol: 'sender',
      total: texts.length,
      accepted: texts.length,
      rejected: [],
      ...(await outcome(texts)),
    }
    stored.push({ key: caller!.keyId, texts })
    return answer as AcceptedBatch
  },
}

async function open(settings: Partial<SyslogSettings> = {}, limits: Partial<SyslogLimits> = {}): Promise<void> {
  stored = []
  everything = ''
  revoked = new Set()
  asked = []
  log = createLog('silent')
  outcome = () => ({})
  server = createSyslogServer({
    accept,
    settings: { key: undefined, tls: undefined, ...settings },
    log,
    limits: { ...SYSLOG_LIMITS, ...limits },
  })
  port = await server.listen('127.0.0.1', 0)
}

async function dial(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  sockets.add(socket)
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  return socket
}

async function say(...texts: string[]): Promise<Socket> {
  const socket = await dial()
  for (const text of texts) socket.write(text)
  return socket
}

const isClosed = (socket: Socket) => vi.waitFor(() => expect(socket.closed).toBe(true), PATIENTLY)
const texts = () => stored.flatMap((batch) => batch.texts)
const hasStored = (...expected: string[]) => vi.waitFor(() => expect(texts()).toEqual(expected), PATIENTLY)

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await server.stop()
})

describe('a connection', () => {
  it('brings its messages while it stays open, each to the project of its key', async () => {
    await open()
    await say(message('one') + message('two', OTHER) + message('three'))
    await vi.waitFor(() => expect(texts()).toHaveLength(3), PATIENTLY)
    expect(stored).toEqual([
      { key: GOOD, texts: ['one', 'three'] },
      { key: OTHER, texts: ['two'] },
    ])
  })

  it('never passes a key on', async () => {
    await open()
    await say(message('one') + message('two', OTHER))
    await hasStored('one', 'two')
    expect(everything).not.toContain('tidemark_ingest')
  })

  it('that ends has brought all it wrote, also a last line without its end', async () => {
    await open()
    const socket = await say(message('one'), message('two').trimEnd())
    socket.end()
    await hasStored('one', 'two')
    await isClosed(socket)
    expect(server.stats.closed.error).toBe(0)
  })

  it('is closed at a message without a key, and what came before it is kept', async () => {
    await open()
    await isClosed(await say(`${message('one')}<14>no key\n${message('after')}`))
    await hasStored('one')
    expect(server.stats.closed.key).toBe(1)
    expect(server.stats.refused).toBe(2)
  })

  it('that is closed at a message without a key keeps what came before it, of every key', async () => {
    await open()
    await isClosed(await say(`${message('one') + message('two', OTHER)}<14>no key\n`))
    await hasStored('one', 'two')
  })

  it('is closed when its only key is not valid, and what it brought is counted', async () => {
    await open()
    await isClosed(await say(message('one', BAD) + message('two', BAD)))
    await vi.waitFor(() => expect(server.stats.closed.key).toBe(1), PATIENTLY)
    expect(texts()).toEqual([])
    expect(server.stats.refused).toBe(2)
  })

  it('stays when one key of several is not valid, and costs only what came with that one', async () => {
    await open()
    const socket = await say(message('one') + message('two', BAD) + message('three', OTHER))
    await hasStored('one', 'three')
    revoked.add(GOOD)
    socket.write(message('four'))
    socket.write(message('five', OTHER))
    await hasStored('one', 'three', 'five')
    await vi.waitFor(() => expect(server.stats.refused).toBe(2), PATIENTLY)
    expect(server.stats.closed.key).toBe(0)
    revoked.add(OTHER)
    socket.write(message('six', OTHER))
    await isClosed(socket)
  })

  it('is closed when it tries one key after the other, and no more of them are asked for', async () => {
    await open({}, { invalidKeys: 3 })
    const tries = Array.from({ length: 100 }, (_, number) => message('try', `${BAD}${number}`))
    await isClosed(await say(message('one') + tries.join('')))
    await vi.waitFor(() => expect(server.stats.closed.key).toBe(1), PATIENTLY)
    expect(asked).toHaveLength(5)
    expect(texts()).toEqual(['one'])
    expect(server.stats.refused).toBe(100)
  })

  it('is closed with the next message once its key was revoked', async () => {
    await open()
    const socket = await say(message('one'))
    await hasStored('one')
    revoked.add(GOOD)
    socket.write(message('two'))
    await isClosed(socket)
    expect(texts()).toEqual(['one'])
  })

  it('is closed when its messages cannot be told apart', async () => {
    await open()
    await isClosed(await say('999999999999 <14>x'))
    expect(server.stats.closed.framing).toBe(1)
  })

  it('is closed when no message with a valid key has come in time, however busy it is', async () => {
    await open({}, { firstMessageMs: 50 })
    const socket = await dial()
    const drip = setInterval(() => socket.write('x'), 5)
    await isClosed(socket)
    clearInterval(drip)
    expect(server.stats.closed.timeout).toBe(1)
  })

  it('is closed when it has been silent for long', async () => {
    await open({}, { idleMs: 50 })
    const socket = await say(message('one'))
    await isClosed(socket)
    expect(texts()).toEqual(['one'])
    expect(server.stats.closed.timeout).toBe(1)
  })

  it('that holds a message which is too long loses that message alone', async () => {
    await open()
    await say(message('one'), message('x'.repeat(100_000)), message('two'))
    await hasStored('one', 'two')
    expect(server.stats.refused).toBe(1)
  })

  it('loses only the message that spoils its batch', async () => {
    await open({}, { batchAfterMs: 20 })
    outcome = (some) => {
      if (some.includes('bad')) throw new AppError('invalid_request', 'Too many days.')
      return {}
    }
    await say(['a', 'b', 'bad', 'c'].map((text) => message(text)).join(''))
    await hasStored('a', 'b', 'c')
    expect(server.stats.refused).toBe(1)
  })

  it('that is closed for its framing loses only the message that spoils its batch', async () => {
    await open()
    outcome = (some) => {
      if (some.includes('bad')) throw new AppError('invalid_request', 'Too many days.')
      return {}
    }
    const all = ['a', 'bad', 'b', 'c'].map((text) => counted(message(text).trimEnd()))
    await isClosed(await say(`${all.join('')}999999999999 <14>x`))
    await hasStored('a', 'b', 'c')
    await vi.waitFor(() => expect(server.stats.closed.framing).toBe(1), PATIENTLY)
    expect(server.stats.refused).toBe(1)
  })

  it('goes on after an error that nobody foresaw, which is logged once and costs only what it must', async () => {
    await open()
    const told = vi.spyOn(log, 'error')
    outcome = (some) => {
      if (some.includes('bad')) throw new TypeError('Nobody foresaw this.')
      return {}
    }
    const socket = await say(message('a') + message('bad') + message('b') + message('c', OTHER))
    await hasStored('a', 'b', 'c')
    socket.write(message('d'))
    await hasStored('a', 'b', 'c', 'd')
    expect(server.stats.refused).toBe(1)
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('of many small messages brings them in batches of no more than the greatest number', async () => {
    await open({ key: GOOD }, { batchMessages: 100 })
    await say('a\n'.repeat(1_050))
    await vi.waitFor(() => expect(texts()).toHaveLength(1_050), PATIENTLY)
    expect(Math.max(...stored.map((batch) => batch.texts.length))).toBe(100)
  })

  it('holds no more than the greatest batch, keys and all', async () => {
    // A key that comes with every message takes room as well: with it these are enough for a batch.
    await open({}, { batchBytes: 1_000, batchAfterMs: 600_000 })
    await say(message('x').repeat(20))
    await vi.waitFor(() => expect(texts()).toHaveLength(20), PATIENTLY)
  })
})

describe('when there is no room', () => {
  it('a connection is not read until there is, and then nothing is missing', async () => {
    await open({}, { retryMs: 5, batchMessages: 10 })
    let isFull = true
    outcome = () => {
      if (isFull) throw new AppError('spool_full', 'Full.', { retryAfterSeconds: 1 })
      return {}
    }
    const socket = await dial()
    const all = Array.from({ length: 40_000 }, (_, number) => `${number} ${'x'.repeat(200)}`)
    let written = 0
    socket.write(all.map((text) => message(text)).join(''), () => {
      written = 1
    })
    await vi.waitFor(() => expect(everything).not.toBe(''), PATIENTLY)
    // Far more than the buffers of both ends hold is still with the sender.
    expect(written).toBe(0)
    expect(texts()).toEqual([])
    isFull = false
    await vi.waitFor(() => expect(texts()).toHaveLength(all.length), PATIENTLY)
    expect(texts()).toEqual(all)
  })

  it('a connection that waits holds no other', async () => {
    await open({}, { retryMs: 5 })
    outcome = (some) => {
      if (some.includes('much')) throw new AppError('rate_limited', 'Too much.', { retryAfterSeconds: 1 })
      return {}
    }
    await say(message('much'))
    await vi.waitFor(() => expect(everything).not.toBe(''), PATIENTLY)
    await say(message('little', OTHER))
    await hasStored('little')
  })

  it('in the quota of one key, those of other keys on the connection are stored, and its own are counted', async () => {
    await open({}, { retryMs: 5 })
    outcome = (some) => {
      if (some.some((text) => text.startsWith('much'))) throw new AppError('quota_exceeded', 'Used up.')
      return {}
    }
    const socket = await say(message('much') + message('one', OTHER))
    await hasStored('one')
    socket.write(message('much more'))
    await vi.waitFor(() => expect(server.stats.refused).toBe(2), PATIENTLY)
    expect(socket.closed).toBe(false)
  })

  it('in the quota of its only key, a connection waits', async () => {
    await open({}, { retryMs: 5 })
    let tries = 0
    outcome = () => {
      if (++tries < 3) throw new AppError('quota_exceeded', 'Used up.')
      return {}
    }
    await say(message('one'))
    await hasStored('one')
    expect(server.stats.refused).toBe(0)
  })

  it('in the quota of its only key, a connection that is gone waits no more, and what it brought is counted', async () => {
    await open({}, { retryMs: 5 })
    outcome = () => {
      throw new AppError('quota_exceeded', 'Used up.')
    }
    const socket = await say(message('one') + message('two'))
    socket.end()
    await vi.waitFor(() => expect(server.stats.refused).toBe(2), PATIENTLY)
    await vi.waitFor(() => expect(server.stats.connections).toBe(0), PATIENTLY)
  })

  it('a connection that is gone waits for a while, and what it brought is then counted', async () => {
    await open({}, { retryMs: 5, closedMs: 50 })
    outcome = () => {
      throw new AppError('spool_full', 'Full.')
    }
    const socket = await say(message('one') + message('two', OTHER))
    socket.end()
    await vi.waitFor(() => expect(server.stats.refused).toBe(2), PATIENTLY)
    await vi.waitFor(() => expect(server.stats.connections).toBe(0), PATIENTLY)
  })

  it('a connection that is gone keeps its place until what it brought is written', async () => {
    await open({}, { retryMs: 5, connectionsPerAddress: 1 })
    let isFull = true
    outcome = () => {
      if (isFull) throw new AppError('spool_full', 'Full.')
      return {}
    }
    const socket = await say(message('one'))
    socket.end()
    await isClosed(socket)
    await vi.waitFor(() => expect(everything).not.toBe(''), PATIENTLY)
    await isClosed(await dial())
    expect(server.stats.closed.full).toBe(1)
    isFull = false
    await hasStored('one')
    await vi.waitFor(() => expect(server.stats.connections).toBe(0), PATIENTLY)
    expect(server.stats.refused).toBe(0)
  })

  it('a connection whose key is revoked while it waits is closed', async () => {
    await open({}, { retryMs: 5 })
    outcome = () => {
      throw new AppError('spool_full', 'Full.')
    }
    const socket = await say(message('one'))
    await vi.waitFor(() => expect(everything).not.toBe(''), PATIENTLY)
    revoked.add(GOOD)
    await isClosed(socket)
    expect(server.stats.closed.key).toBe(1)
  })
})

describe('the port', () => {
  it('with a key of its own takes messages without one, of either form', async () => {
    await open({ key: OTHER })
    await say(`<14>one\n${message('two')}plain\n`)
    await vi.waitFor(() => expect(texts()).toHaveLength(3), PATIENTLY)
    expect(stored).toEqual([
      { key: OTHER, texts: ['one', 'plain'] },
      { key: GOOD, texts: ['two'] },
    ])
  })

  it('with a key that was revoked closes the connection', async () => {
    await open({ key: OTHER })
    revoked.add(OTHER)
    await isClosed(await say('<14>one\n'))
    expect(texts()).toEqual([])
  })

  it('closes connections above its number, and takes new ones when others have gone', async () => {
    await open({}, { connectionsPerAddress: 2 })
    const first = await say(message('one'))
    await hasStored('one')
    await say(message('two'))
    await hasStored('one', 'two')
    await isClosed(await dial())
    expect(server.stats.closed.full).toBe(1)
    first.destroy()
    await vi.waitFor(() => expect(server.stats.connections).toBe(1), PATIENTLY)
    await say(message('in'))
    await hasStored('one', 'two', 'in')
  })

  it('closes the oldest connection without a key for a new one', async () => {
    await open({}, { connectionsPerAddress: 2 })
    const proven = await say(message('one'))
    await hasStored('one')
    const silent = await dial()
    await say(message('two'))
    await hasStored('one', 'two')
    await isClosed(silent)
    expect(server.stats).toMatchObject({ connections: 2, closed: { full: 1 } })
    proven.write(message('three'))
    await hasStored('one', 'two', 'three')
  })

  it('stays when a connection cannot be accepted, however often', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen')
    await open()
    const [listening] = listen.mock.contexts as Server[]
    listen.mockRestore()
    const told = vi.spyOn(log, 'error')
    for (let time = 1; time <= 3; time++) listening!.emit('error', new Error('accept EMFILE'))
    expect(told).toHaveBeenCalledTimes(3)
    await say(message('one'))
    await hasStored('one')
  })

  it('waits at a stop until what it has read is durable', async () => {
    await open()
    let release = () => {}
    outcome = () =>
      new Promise((resolve) => {
        release = () => resolve({})
      })
    await say(message('one') + message('two'))
    await vi.waitFor(() => expect(everything).not.toBe(''), PATIENTLY)
    const stopped = server.stop()
    expect(texts()).toEqual([])
    release()
    await stopped
    expect(texts()).toEqual(['one', 'two'])
  })

  it('gives up at a stop what there is no room for, instead of waiting', async () => {
    await open()
    outcome = () => {
      throw new AppError('spool_full', 'Full.')
    }
    await say(message('one'))
    await vi.waitFor(() => expect(everything).not.toBe(''), PATIENTLY)
    await server.stop()
    expect(server.stats.refused).toBe(1)
  })
})

describe('over TLS', () => {
  let folder: string
  const file = (name: string) => readFileSync(join(folder, name), 'utf8')
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const certify = (name: string, subject: string, authority: string) => {
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-subj', subject, '-out', `${name}.csr`)
    const by = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2']
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.crt`)
  }
  const authority = (name: string) =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
      '-out',
      `${name}.crt`,
    )

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'syslog-tls-'))
    writeFileSync(join(folder, 'empty'), '')
    for (const name of ['ours', 'theirs']) authority(name)
    certify('server', '/CN=localhost', 'ours')
    certify('client', `/CN=${ID}`, 'ours')
    certify('plain', '/CN=web-1', 'ours')
    certify('stranger', `/CN=${ID}`, 'theirs')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const openTls = (withClients: boolean, limits: Partial<SyslogLimits> = {}) => {
    const ca = withClients ? file('ours.crt') : undefined
    return open({ tls: { cert: file('server.crt'), key: file('server.key'), ca } }, limits)
  }
  const dialTls = (client?: string) => {
    const own = client === undefined ? {} : { cert: file(`${client}.crt`), key: file(`${client}.key`) }
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      ca: file('ours.crt'),
      checkServerIdentity: () => undefined,
      ...own,
    })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume()
    return socket
  }

  it('messages come as over TCP', async () => {
    await openTls(false)
    dialTls().write(message('one'))
    await hasStored('one')
  })

  it('a certificate that names a key sends with it, until the key is revoked', async () => {
    await openTls(true)
    const socket = dialTls('client')
    socket.write('<14>one\n')
    await hasStored('one')
    expect(stored[0]?.key).toBe(ID)
    revoked.add(ID)
    socket.write('<14>two\n')
    await isClosed(socket)
    expect(texts()).toEqual(['one'])
  })

  it('a certificate that names no key lets in, and messages bring their own', async () => {
    await openTls(true)
    dialTls('plain').write(message('one'))
    await hasStored('one')
    const without = dialTls('plain')
    without.write('<14>no key\n')
    await isClosed(without)
    expect(server.stats.closed.key).toBe(1)
  })

  it.each(['stranger', undefined])(
    'a client with the certificate %s is not let in where one is asked for',
    async (client) => {
      await openTls(true)
      const socket = dialTls(client)
      socket.write(message('one'))
      await isClosed(socket)
      await vi.waitFor(() => expect(server.stats.closed.handshake).toBe(1), PATIENTLY)
      expect(texts()).toEqual([])
      await vi.waitFor(() => expect(server.stats.connections).toBe(0), PATIENTLY)
    },
  )

  it('a connection above the number is counted once, as that', async () => {
    await openTls(false, { connectionsPerAddress: 1 })
    dialTls().write(message('one'))
    await hasStored('one')
    for (let more = 0; more < 3; more++) await isClosed(dialTls())
    // A handshake that fails is known to have failed by the time that a later connection is refused.
    expect(server.stats.closed).toMatchObject({ full: 3, handshake: 0 })
  })

  it('a client that speaks without it is not let in', async () => {
    await openTls(false)
    await isClosed(await say(message('one')))
    expect(texts()).toEqual([])
  })

  it('a certificate and a key that do not belong together are refused at the start', async () => {
    const tls = { cert: file('server.crt'), key: file('client.key'), ca: undefined }
    await open()
    await server.stop()
    await expect(open({ tls })).rejects.toThrow(/belong together/)
  })
})
