import { readFileSync } from 'node:fs'
import { MAX_ACTIVE_KEYS } from '@tidemark/wire/limits'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends, untilAvailable } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import { chunks } from '../database/database.ts'
import type { Control } from '../open.ts'
import { isWellFormedSecret, newSecret } from './key-secret.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }
const INPUT = { kind: 'read', name: 'agent', expiresAtMs: null } as const

describe('a secret', () => {
  it('is the prefix of its kind, 30 random characters and a checksum of 6', () => {
    expect(newSecret('read')).toMatch(/^tidemark_read_[0-9A-Za-z]{36}$/)
    expect(newSecret('ingest')).toMatch(/^tidemark_ingest_[0-9A-Za-z]{36}$/)
  })

  it('is recognised by its checksum, which any one changed character breaks', () => {
    const secret = newSecret('read')
    expect(isWellFormedSecret(secret)).toBe(true)
    for (let place = 'tidemark_read_'.length; place < secret.length; place += 1) {
      const other = secret[place] === 'x' ? 'y' : 'x'
      expect(isWellFormedSecret(secret.slice(0, place) + other + secret.slice(place + 1))).toBe(false)
    }
    expect(isWellFormedSecret(secret.replace('read', 'ingest'))).toBe(false)
    expect(isWellFormedSecret(`${secret}\n`)).toBe(false)
    expect(isWellFormedSecret(`${secret}0`)).toBe(false)
  })

  it('has a checksum that other programs can compute: CRC32 in base62, most significant first', () => {
    expect(isWellFormedSecret(`tidemark_read_${'0'.repeat(30)}1P9CBT`)).toBe(true)
  })

  it('uses every character of the alphabet about equally often', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 2_000; i += 1) {
      for (const character of newSecret('read').slice(14, 44)) {
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
    }
    const expected = (2_000 * 30) / 62
    expect(counts.size).toBe(62)
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.25)
  })

  it('is found inside other text by the pattern in the documents', () => {
    const page = readFileSync(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8')
    const pattern = new RegExp(/`(\\btidemark_[^`]+)`/.exec(page)?.[1] ?? '^no pattern$')
    const secret = newSecret('ingest')
    expect(`Authorization: Bearer ${secret}, x`.match(pattern)?.[0]).toBe(secret)
  })
})

describe.each(controlBackends())('keys on $name', (backend) => {
  let control: Control
  let other: Control
  let names = 0
  const newProject = async () => {
    names += 1
    return control.projects.create({ name: `Project ${names}`, retentionDays: 30 }, change)
  }
  const newKey = (projectId: string, more: object = {}) => control.keys.create({ projectId, ...INPUT, ...more }, change)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    control = await backend.open()
    other = await backend.open()
  })
  useBackend(backend)

  it('are at most a thousand of a project, of which revoked and expired ones are none, on all nodes together', async () => {
    const project = await newProject()
    const { key } = await newKey(project.id)
    await newKey(project.id, { expiresAtMs: NOW - 1 })
    const bare = await backend.openBare()
    const row = await bare.db.selectFrom('api_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_ACTIVE_KEYS - 2 }, (_, at) => ({
      ...row,
      id: `${row.id}_${at}`,
      secret_sha256: `${row.secret_sha256}_${at}`,
    }))
    for (const some of chunks(more, 100)) await bare.db.insertInto('api_keys').values(some).execute()
    const made = await Promise.allSettled(
      [control, other, control].map((node) => node.keys.create({ ...INPUT, projectId: project.id }, change)),
    )
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(newKey(project.id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('A project has at most 1,000 active keys. Revoke keys'),
    })
    await control.keys.revoke(key.id, change)
    expect((await newKey(project.id)).key.state).toBe('active')
    await newKey((await newProject()).id)
  })

  it('opens its own project with the settings that hold now, on every node', async () => {
    const project = await newProject()
    const { key, secret } = await newKey(project.id)
    await control.projects.changeSettings(project.id, { maxBytesPerSecond: 1_000, redaction: { off: true } }, change)
    expect(await other.keys.authenticate(secret)).toEqual({
      status: 'ok',
      key,
      project: { ...project, maxBytesPerSecond: 1_000, redaction: { off: true } },
    })
  })

  it('shows the secret once and stores only its hash', async () => {
    const { id } = await newProject()
    const { key, secret } = await newKey(id, { name: ' CI ' })
    expect(key).toMatchObject({ name: 'CI', kind: 'read', lastFour: secret.slice(-4), createdBy: 'operator' })
    const bare = await backend.openBare()
    const everything = await Promise.all([
      bare.db.selectFrom('api_keys').selectAll().execute(),
      bare.db.selectFrom('audit_log').selectAll().execute(),
    ])
    expect(JSON.stringify(everything)).not.toContain(secret.slice(0, -6))
  })

  it('is refused from the very next look-up after it was revoked, on every node', async () => {
    const { id } = await newProject()
    for (let round = 0; round < 20; round += 1) {
      const { key, secret } = await newKey(id)
      expect((await other.keys.authenticate(secret)).status).toBe('ok')
      await control.keys.revoke(key.id, change)
      const answers = await Promise.all([control, other].map((node) => node.keys.authenticate(secret)))
      expect(answers).toEqual([{ status: 'revoked' }, { status: 'revoked' }])
    }
  })

  it('is refused once revoked, even when the revoking node lives in the future', async () => {
    const { id } = await newProject()
    const { key, secret } = await newKey(id)
    await control.keys.revoke(key.id, { by: 'operator', nowMs: NOW + 300_000 })
    expect(await other.keys.authenticate(secret, NOW - 300_000)).toEqual({ status: 'revoked' })
  })

  it('is never found by a look-up that begins after the revoke has returned', async () => {
    const { id } = await newProject()
    const { key, secret } = await newKey(id)
    let revoked = false
    let wrong = 0
    const clients = [control, other, control, other].map(async (node) => {
      for (let asked = 0, after = 0; after < 25 && asked < 5_000; asked += 1) {
        const startedAfter = revoked
        const { status } = await node.keys.authenticate(secret)
        if (startedAfter) after += 1
        if (startedAfter && status !== 'revoked') wrong += 1
        await new Promise(setImmediate)
      }
    })
    await control.keys.revoke(key.id, change)
    revoked = true
    await Promise.all(clients)
    expect(wrong).toBe(0)
  })

  it('says whether a revoke changed anything and keeps the first time', async () => {
    const { id } = await newProject()
    const { key } = await newKey(id)
    const first = await control.keys.revoke(key.id, change)
    const second = await control.keys.revoke(key.id, { by: 'operator', nowMs: NOW + 1 })
    expect([first.changed, second.changed]).toEqual([true, false])
    expect(second.key.revokedAt).toBe(new Date(NOW).toISOString())
  })

  it('cannot be revoked from within another project', async () => {
    const [a, b] = [await newProject(), await newProject()]
    const { key, secret } = await newKey(a.id)
    await expect(control.keys.revoke(key.id, change, b.id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await control.keys.authenticate(secret)).status).toBe('ok')
    await expect(control.keys.revoke('key_none', change)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('ends at the moment it expires', async () => {
    const { id } = await newProject()
    const { secret } = await newKey(id, { expiresAtMs: NOW })
    expect((await control.keys.authenticate(secret, NOW - 1)).status).toBe('ok')
    expect(await control.keys.authenticate(secret, NOW)).toEqual({ status: 'expired' })
  })

  it('dies with its project', async () => {
    const { id } = await newProject()
    const { secret } = await newKey(id)
    await control.projects.delete(id, change)
    expect(await other.keys.authenticate(secret)).toEqual({ status: 'project_deleted' })
    expect((await control.keys.list(id)).map((key) => key.revokedAt)).toEqual([new Date(NOW).toISOString()])
    await expect(newKey(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is unknown when it was never made, even with a right checksum', async () => {
    expect(await control.keys.authenticate(newSecret('read'))).toEqual({ status: 'unknown' })
    expect(await control.keys.authenticate('')).toEqual({ status: 'unknown' })
    expect(await control.keys.authenticate('tidemark_read_'.padEnd(100_000, 'x'))).toEqual({ status: 'unknown' })
  })

  it('are made by two nodes at once without failing each other', async () => {
    const { id } = await newProject()
    const input = { projectId: id, kind: 'ingest', name: 'x', expiresAtMs: null } as const
    const nodes = Array.from({ length: 20 }, (_, i) => (i % 2 ? control : other))
    const made = await Promise.all(nodes.map((node) => untilAvailable(() => node.keys.create(input, change))))
    expect(new Set((await control.keys.list(id)).map((key) => key.id))).toEqual(new Set(made.map(({ key }) => key.id)))
    expect(made).toHaveLength(20)
  })

  it('lists newest first', async () => {
    const { id } = await newProject()
    const made = []
    for (const nowMs of [NOW + 2, NOW, NOW + 1]) {
      const input = { projectId: id, kind: 'ingest', name: '', expiresAtMs: null } as const
      made.push((await control.keys.create(input, { by: 'operator', nowMs })).key)
    }
    expect((await control.keys.list(id)).map((key) => key.id)).toEqual([made[0]?.id, made[2]?.id, made[1]?.id])
  })

  it('writes a first use down at once, for whoever is waiting to see it', async () => {
    const { id } = await newProject()
    const { key } = await newKey(id)
    control.keys.touch(key, NOW + 1_000)
    await expect
      .poll(async () => (await control.keys.list(id))[0]?.lastUsedAt, { timeout: 20_000 })
      .toBe(new Date(NOW + 1_000).toISOString())
  })

  it('lists each with the state by which it is let in or refused, expired at the very moment', async () => {
    const { id } = await newProject()
    const key = { projectId: id, kind: 'read', name: 'x', expiresAtMs: NOW + 1_000 } as const
    const { secret, key: made } = await control.keys.create(key, change)
    for (const [nowMs, state] of [
      [NOW + 999, 'active'],
      [NOW + 1_000, 'expired'],
    ] as const) {
      expect((await control.keys.list(id, nowMs)).map((one) => one.state)).toEqual([state])
      const { status } = await control.keys.authenticate(secret, nowMs)
      expect(status).toBe(state === 'active' ? 'ok' : state)
    }
    expect((await control.keys.revoke(made.id, change)).key.state).toBe('revoked')
    expect((await control.keys.list(id, NOW + 2_000)).map((one) => one.state)).toEqual(['revoked'])
  })

  it('writes the last use down when the store closes, and never moves it back', async () => {
    const { id } = await newProject()
    const [a, b] = [await newKey(id), await newKey(id)]
    const lastUses = async () => {
      const keys = await control.keys.list(id)
      return [a, b].map(({ key }) => keys.find((listed) => listed.id === key.id)?.lastUsedAt)
    }
    for (const [key, nowMs] of [
      [a.key, NOW + 5_000],
      [a.key, NOW + 4_000],
      [b.key, NOW + 1_000],
    ] as const) {
      const node = await backend.open()
      node.keys.touch(key, nowMs)
      await node.close()
    }
    expect(await lastUses()).toEqual([new Date(NOW + 5_000).toISOString(), new Date(NOW + 1_000).toISOString()])
  })
})
