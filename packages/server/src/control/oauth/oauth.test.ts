import { createHash } from 'node:crypto'
import { MAX_ACTIVE_KEYS } from '@tidemark/wire/limits'
import { DAY_MS } from '@tidemark/wire/time/units'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlBackends } from '../../testing/control.ts'
import { useBackend } from '../../testing/use-backend.ts'
import { chunks } from '../database/database.ts'
import type { Control } from '../open.ts'
import { CLIENT_MEMORY_MS, createOAuthClients } from './clients.ts'
import { CODE_MS, type Grant, type Redemption } from './codes.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const change = { by: 'operator', nowMs: NOW }
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const REDIRECT = 'https://client.example/callback'
const RESOURCE = 'https://logs.example.com/mcp'

describe.each(controlBackends())('OAuth on $name', (backend) => {
  let control: Control
  let other: Control
  let count = 0

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  useBackend(backend)

  async function newGrant(role: 'owner' | 'member' = 'member') {
    count += 1
    const project = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, change)
    const input = { email: `p${count}@example.com`, name: 'P', role: 'member', passwordHash: null } as const
    const person = await control.accounts.create(input, change)
    await control.members.add(project.id, person.id, role, change)
    const client = await control.oauthClients.register({ name: 'Client', redirectUris: [REDIRECT] }, NOW)
    const grant: Grant = {
      client: { id: client.id, name: client.name, host: 'client.example' },
      redirectUri: REDIRECT,
      resource: RESOURCE,
      challenge: CHALLENGE,
      projectId: project.id,
      keyName: 'connector',
      keyLifetimeMs: 90 * DAY_MS,
    }
    const code = await control.oauthCodes.issue(grant, { by: person.id, nowMs: NOW })
    const shown: Redemption = {
      ...{ code, clientId: client.id, verifier: VERIFIER },
      ...{ redirectUri: REDIRECT, resource: RESOURCE },
    }
    return { project, person, client, grant, code, shown }
  }

  describe('a code', () => {
    it('becomes a read key of the project, in the name of the person and with the name of the client', async () => {
      const { project, person, client, shown } = await newGrant()
      const redeemed = await other.oauthCodes.redeem(shown, NOW + 1)
      if (redeemed.status !== 'ok') throw new Error(redeemed.status)
      expect(redeemed.key).toMatchObject({
        ...{ kind: 'read', name: 'connector', createdBy: person.id, projectId: project.id },
        expiresAt: new Date(NOW + 1 + 90 * DAY_MS).toISOString(),
        client: { id: client.id, name: 'Client', host: 'client.example' },
      })
      expect(await control.keys.list(project.id)).toEqual([redeemed.key])
      expect(await control.keys.authenticate(redeemed.secret, NOW + 2)).toMatchObject({ status: 'ok' })
      const entries = await control.audit.list({ projectId: project.id, limit: 2 })
      expect(entries.map(({ action, by, details }) => [action, by, details.client])).toEqual([
        ['key.created', person.id, 'Client'],
        ['oauth.consented', person.id, 'Client'],
      ])
    })

    it('is kept as a hash only', async () => {
      const { code } = await newGrant()
      const bare = await backend.openBare()
      expect(JSON.stringify(await bare.db.selectFrom('oauth_codes').selectAll().execute())).not.toContain(code)
    })

    it('gives no key where the project has too many, and is not given out there', async () => {
      const { project, person, grant, shown } = await newGrant()
      const input = { projectId: project.id, kind: 'read', name: 'a', expiresAtMs: null } as const
      const { key } = await control.keys.create(input, change)
      const bare = await backend.openBare()
      const row = await bare.db.selectFrom('api_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
      const rows = Array.from({ length: MAX_ACTIVE_KEYS - 1 }, (_, at) => ({
        ...row,
        id: `${row.id}_${at}`,
        secret_sha256: `${row.id}_${at}`,
      }))
      for (const some of chunks(rows, 500)) await bare.db.insertInto('api_keys').values(some).execute()
      expect(await control.oauthCodes.redeem(shown, NOW)).toEqual({ status: 'too_many_keys' })
      await expect(control.oauthCodes.issue(grant, { by: person.id, nowMs: NOW })).rejects.toMatchObject({
        code: 'conflict',
      })
      await control.keys.revoke(key.id, change)
      await control.oauthCodes.issue(grant, { by: person.id, nowMs: NOW })
    })

    it('that comes twice is refused, and what it gave is revoked', async () => {
      const { project, shown } = await newGrant()
      const first = await control.oauthCodes.redeem(shown, NOW)
      expect(await other.oauthCodes.redeem(shown, NOW + 2 * CODE_MS)).toEqual({ status: 'reused' })
      expect(await control.keys.authenticate(first.status === 'ok' ? first.secret : '')).toEqual({ status: 'revoked' })
      const actions = (await control.audit.list({ projectId: project.id, limit: 2 })).map(({ action }) => action)
      expect(actions).toEqual(['oauth.code_reused', 'key.revoked'])
      expect(await other.oauthCodes.redeem(shown, NOW)).toEqual({ status: 'reused' })
      expect((await control.audit.verify()).intact).toBe(true)
    })

    it('that several bring at the same moment gives one key at most, and that one is revoked', async () => {
      const { project, shown } = await newGrant()
      const tries = await Promise.all(
        [control, other, control, other].map((node) => node.oauthCodes.redeem(shown, NOW)),
      )
      expect(tries.map(({ status }) => status).sort()).toEqual(['ok', 'reused', 'reused', 'reused'])
      const keys = await control.keys.list(project.id)
      expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([new Date(NOW).toISOString()])
    })

    it.each<[string, Partial<Redemption>, string]>([
      ['another client', { clientId: 'cli_other' }, 'other_client'],
      ['another redirect URI', { redirectUri: `${REDIRECT}/` }, 'other_redirect'],
      ['another resource', { resource: 'https://other.example/mcp' }, 'other_resource'],
      ['another verifier', { verifier: 'w'.repeat(43) }, 'wrong_verifier'],
    ])('with %s is refused, and cannot be tried again', async (_, wrong, status) => {
      const { project, shown } = await newGrant()
      expect(await control.oauthCodes.redeem({ ...shown, ...wrong }, NOW)).toEqual({ status })
      expect(await control.oauthCodes.redeem(shown, NOW)).toEqual({ status: 'reused' })
      expect(await control.keys.list(project.id)).toEqual([])
    })

    it('lives a minute, and one that nobody gave is unknown', async () => {
      const [late, inTime] = [await newGrant(), await newGrant()]
      expect(await control.oauthCodes.redeem(late.shown, NOW + CODE_MS)).toEqual({ status: 'expired' })
      expect(await control.oauthCodes.redeem(inTime.shown, NOW + CODE_MS - 1)).toMatchObject({ status: 'ok' })
      expect(await control.oauthCodes.redeem({ ...late.shown, code: 'none' }, NOW)).toEqual({ status: 'unknown' })
    })

    it('is worth nothing once the person may no longer make keys, or the project is gone', async () => {
      const [removed, viewer, deleted] = [await newGrant(), await newGrant(), await newGrant('owner')]
      await control.members.remove(removed.project.id, removed.person.id, change)
      await control.members.changeRole(viewer.project.id, viewer.person.id, 'viewer', change)
      await control.projects.delete(deleted.project.id, change)
      for (const { shown, project } of [removed, viewer, deleted]) {
        expect(await control.oauthCodes.redeem(shown, NOW)).toEqual({ status: 'no_access' })
        expect(await control.keys.list(project.id)).toEqual([])
      }
    })

    it('does not need a client that registered: its id may be an address', async () => {
      const { grant, person, shown } = await newGrant()
      const client = { ...grant.client, id: 'https://client.example/client.json' }
      const code = await control.oauthCodes.issue({ ...grant, client }, { by: person.id, nowMs: NOW })
      const redeemed = await control.oauthCodes.redeem({ ...shown, code, clientId: client.id }, NOW)
      expect(redeemed).toMatchObject({ status: 'ok', key: { client } })
    })
  })

  describe('a client that registered', () => {
    const register = (nowMs: number) => control.oauthClients.register({ name: 'C', redirectUris: [REDIRECT] }, nowMs)

    it('is known on every node', async () => {
      const client = await register(NOW)
      expect(await other.oauthClients.find(client.id)).toEqual({ id: client.id, name: 'C', redirectUris: [REDIRECT] })
      expect(await other.oauthClients.find('cli_none')).toBe(null)
    })

    it('is forgotten after weeks without a key, and stays as long as it holds one', async () => {
      const [unused, { client: used, shown, project }] = [await register(NOW), await newGrant()]
      const redeemed = await control.oauthCodes.redeem(shown, NOW)
      const later = NOW + CLIENT_MEMORY_MS + 1
      await register(later)
      expect(await control.oauthClients.find(unused.id)).toBe(null)
      expect(await control.oauthClients.find(used.id)).not.toBe(null)
      if (redeemed.status === 'ok') await control.keys.revoke(redeemed.key.id, change, project.id)
      await register(later)
      expect(await control.oauthClients.find(used.id)).toBe(null)
    })

    it('makes room for newer ones that nobody used either, the oldest first', async () => {
      const { client: used, shown } = await newGrant()
      await control.oauthCodes.redeem(shown, NOW)
      const clients = createOAuthClients(await backend.openBare(), 2)
      const at = NOW + CLIENT_MEMORY_MS + 1_000
      const made = []
      for (const step of [1, 2, 3]) {
        made.push(await clients.register({ name: 'C', redirectUris: [REDIRECT] }, at + step))
      }
      const left = await Promise.all([used, ...made].map(async ({ id }) => (await clients.find(id)) !== null))
      expect(left).toEqual([true, false, true, true])
    })
  })
})
