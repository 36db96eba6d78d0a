import { beforeAll, describe, expect, it } from 'vitest'
import { SESSION_MAX_MS } from '../../model/person.ts'
import { controlBackends, untilAvailable } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import type { Control } from '../open.ts'
import { checkedEmail, checkedPassword } from './input.ts'
import { hashPassword, isPassword } from './password.ts'
import { SESSION_IDLE_MS } from './sessions.ts'
import { tokenHash } from './token.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const HOUR = 3_600_000
const change = { by: 'operator', nowMs: NOW }

describe('a password', () => {
  it('is kept as a salted scrypt hash that carries its cost', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(first).toMatch(/^scrypt\$15\$8\$3\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/)
    expect(first).not.toBe(second)
    const answers = [isPassword('correct horse', first), isPassword('correct horsE', first), isPassword('', null)]
    expect(await Promise.all(answers)).toEqual([true, false, false])
  })

  it('is the same whichever way a keyboard puts its letters together, and counts to its last character', async () => {
    const long = 'x'.repeat(200)
    const [accented, endless] = await Promise.all([hashPassword('caf\u00e9 crème 7'), hashPassword(`${long}a`)])
    expect(await isPassword('cafe\u0301 crème 7', accented)).toBe(true)
    expect(await isPassword(`${long}b`, endless)).toBe(false)
  })

  it.each([
    'short7!',
    '12345678',
    'password',
    'Password123!',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    'ada.l@example.com',
    'ada.l2026',
  ])('"%s" is refused because it is short or the first that anybody tries', (password) => {
    expect(() => checkedPassword(password, { email: 'Ada.L@example.com' })).toThrow(/^The password /)
  })

  it.each(['correct horse', 'tr0ub4dor&3', 'ÄÖÜäöüß€', 'x1x1x1x1yz', 'passwords are many'])(
    '"%s" is taken',
    (password) => {
      expect(checkedPassword(password, { email: 'ada@example.com' })).toBe(password)
    },
  )
})

describe('what a person types', () => {
  it.each([
    '',
    'ada',
    '@',
    'ada@',
    '@example.com',
    'a b@example.com',
    'a@b@c',
    'ada@exa\u202emple.com',
    `${'a'.repeat(251)}@b.c`,
  ])('"%s" is no e-mail', (email) => {
    expect(() => checkedEmail(email)).toThrow('must be an e-mail address')
  })

  it('is trimmed', () => {
    expect(checkedEmail(' ada@localhost ')).toBe('ada@localhost')
  })
})

describe.each(controlBackends())('accounts on $name', (backend) => {
  let control: Control
  let other: Control
  let count = 0
  const newPerson = (more: object = {}) => {
    count += 1
    const input = { email: `p${count}@example.com`, name: `P ${count}`, role: 'member', passwordHash: null } as const
    return control.accounts.create({ ...input, ...more }, change)
  }
  const openSession = (personId: string, nowMs = NOW, replaces?: string) =>
    control.sessions.open({ personId, origin: 'password', replaces, address: '192.0.2.1' }, nowMs)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  useBackend(backend)

  it('have an e-mail that is unique in every letter case, also when two nodes take it at once', async () => {
    const person = await newPerson({ email: 'Ada@Example.com' })
    await expect(newPerson({ email: 'ada@example.COM' })).rejects.toMatchObject({ code: 'conflict' })
    expect((await other.accounts.credentials('ADA@example.com'))?.person).toEqual(person)
    const input = { email: 'race@example.com', name: 'Race', role: 'member', passwordHash: null } as const
    const tries = await Promise.allSettled([control, other].map((node) => node.accounts.create(input, change)))
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('know their first owner', async () => {
    expect(await control.accounts.firstOwner()).toBeNull()
    const owner = await newPerson({ role: 'owner' })
    expect(await other.accounts.firstOwner()).toEqual(owner)
    expect(owner).toMatchObject({ id: expect.stringMatching(/^usr_/), role: 'owner', hasPassword: false })
  })

  it('end all other sessions with a new password, and none with a new name', async () => {
    const { id, email } = await newPerson()
    const [kept, ended] = [await openSession(id), await openSession(id)]
    await control.accounts.change(id, { email, name: 'New' }, change)
    expect((await other.sessions.find(ended, NOW))?.person.name).toBe('New')
    await control.accounts.change(id, { email, name: 'New', passwordHash: 'x' }, change, tokenHash(kept))
    expect((await other.sessions.find(kept, NOW))?.person).toMatchObject({ id, hasPassword: true })
    expect(await other.sessions.find(ended, NOW)).toBeNull()
  })

  it('open sessions whose tokens are long, random and stored as a hash only', async () => {
    const { id } = await newPerson()
    const tokens = await Promise.all([openSession(id), openSession(id)])
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(tokens[0]).not.toBe(tokens[1])
    const bare = await backend.openBare()
    const stored = await Promise.all([
      bare.db.selectFrom('sessions').selectAll().execute(),
      bare.db.selectFrom('audit_log').selectAll().execute(),
    ])
    for (const token of tokens) expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('lose a session after 12 idle hours, and after 30 days however much it is used', async () => {
    const { id } = await newPerson()
    const idle = await openSession(id)
    expect(await other.sessions.find(idle, NOW + SESSION_IDLE_MS - 1)).not.toBeNull()
    const forgotten = await openSession(id)
    expect(await other.sessions.find(forgotten, NOW + SESSION_IDLE_MS)).toBeNull()
    const busy = await openSession(id)
    for (let at = NOW; at < NOW + SESSION_MAX_MS; at += 11 * HOUR)
      expect(await other.sessions.find(busy, at)).not.toBeNull()
    expect(await other.sessions.find(busy, NOW + SESSION_MAX_MS)).toBeNull()
  })

  it('replace the session a browser had, and close one for every node at once', async () => {
    const { id } = await newPerson()
    const first = await openSession(id)
    const second = await openSession(id, NOW, first)
    expect(await other.sessions.find(first, NOW)).toBeNull()
    await control.sessions.close(second, NOW)
    await control.sessions.close(second, NOW)
    expect(await other.sessions.find(second, NOW)).toBeNull()
    const entries = (await control.audit.list({ limit: 50 })).filter(({ by }) => by === id)
    expect(entries.map(({ action }) => action)).toEqual(['session.closed', 'session.opened', 'session.opened'])
    expect(entries[1]?.details).toEqual({ origin: 'password', address: '192.0.2.1' })
  })

  it('write refused sign-ins down without what was typed, in a chain that holds', async () => {
    await control.sessions.noteRefusal({ personId: null, address: '192.0.2.9', reason: 'unknown e-mail' }, NOW)
    const [entry] = await control.audit.list({ limit: 1 })
    expect(entry).toMatchObject({
      by: 'nobody',
      projectId: null,
      action: 'session.refused',
      details: { reason: 'unknown e-mail', address: '192.0.2.9' },
    })
    expect(await control.audit.verify()).toMatchObject({ intact: true })
  })
})

describe.each(controlBackends())('the sign-in throttle on $name', (backend) => {
  let control: Control
  let other: Control
  let count = 0
  const somewhere = () => {
    count += 1
    return `10.0.${count >> 8}.${count & 255}`
  }
  const fail = (email: string, nowMs: number, node = control) =>
    node.signIns.enter({ email, address: somewhere() }, nowMs)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  useBackend(backend)

  it('lets ten failures of an account pass, then doubles the wait up to a quarter of an hour and never beyond', async () => {
    const waits: number[] = []
    let at = NOW
    for (let failure = 0; failure < 24; failure += 1) {
      const waitMs = await fail('slow@example.com', at, failure % 2 ? control : other)
      waits.push(waitMs)
      at += waitMs
      if (waitMs > 0) expect(await fail('SLOW@example.com', at)).toBe(0)
    }
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(0))
    expect(waits.slice(10, 20)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((seconds) => seconds * 1_000))
    expect(waits.slice(20)).toEqual(Array(4).fill(15 * 60_000))
  })

  it('counts attempts of the same moment, on whichever node', async () => {
    const tries = Array.from({ length: 24 }, (_, index) =>
      untilAvailable(() => fail('burst@example.com', NOW, index % 2 ? control : other)),
    )
    expect((await Promise.all(tries)).filter((waitMs) => waitMs === 0)).toHaveLength(10)
  })

  it('forgets the failures of an account that signed in, or after a day', async () => {
    const address = somewhere()
    for (let failure = 0; failure < 10; failure += 1) await fail('back@example.com', NOW)
    expect(await fail('back@example.com', NOW)).toBe(1_000)
    await control.signIns.succeeded({ email: 'Back@example.com', address }, NOW)
    expect(await fail('back@example.com', NOW)).toBe(0)
    for (let failure = 0; failure < 10; failure += 1) await fail('back@example.com', NOW)
    expect(await fail('back@example.com', NOW + 24 * HOUR + 1)).toBe(0)
  })

  it.each([
    ['an IPv4 address', () => '192.0.2.7'],
    ['an IPv6 network of 64 bits', (index: number) => `2001:db8:1:2::${index.toString(16)}`],
  ])('lets %s fail 50 times an hour', async (_, address) => {
    const from = (index: number, nowMs: number) => control.signIns.enter({ address: address(index) }, nowMs)
    for (let index = 0; index < 50; index += 1) expect(await from(index, NOW)).toBe(0)
    expect(await from(50, NOW + 1_000)).toBe(HOUR - 1_000)
    await control.signIns.succeeded({ address: address(51) }, NOW)
    expect(await from(52, NOW + 1_000)).toBe(0)
    expect(await from(53, NOW + 1_000)).toBe(HOUR - 1_000)
    expect(await from(54, NOW + HOUR)).toBe(0)
  })

  it('makes nobody wait longer because a clock jumped back', async () => {
    for (let failure = 0; failure < 10; failure += 1) await fail('clock@example.com', NOW)
    expect(await fail('clock@example.com', NOW - 30 * 24 * HOUR)).toBe(1_000)
  })
})
