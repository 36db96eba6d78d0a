import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { isPassword } from '../../control/accounts/password.ts'
import type { Control } from '../../control/open.ts'
import { type ControlBackend, controlBackends } from '../../testing/control.ts'
import { ensureOwner } from './ensure-owner.ts'
import { createOwnerLink, takeOwnerLink } from './owner-link.ts'
import { signInByOwnerLink } from './sign-in.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const HOUR = 3_600_000
const PLACE = { address: '192.0.2.1', replaces: undefined }
const backends: ControlBackend[] = []
afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close()
})

/** An instance without people. */
function newInstance(): ControlBackend {
  const backend = controlBackends()[0]!
  backends.push(backend)
  return backend
}

const at = (control: Control, nowMs: number = NOW) => ({ control, now: () => nowMs })
const linkOf = (control: Control, more: { isRecovery?: boolean } = {}) =>
  createOwnerLink({ ...at(control), publicUrl: 'https://logs.example.com' }, more)
const tokenOf = (link: string | undefined) => link?.split('#')[1] ?? ''

describe('the owner link', () => {
  it('has a fresh token after # and keeps only its hash, of the newest link, for 72 hours', async () => {
    const control = await newInstance().open()
    const [first, second] = [await linkOf(control), await linkOf(control)]
    const token = /^https:\/\/logs\.example\.com\/welcome#([A-Za-z0-9_-]{32})$/.exec(second ?? '')?.[1] ?? ''
    expect(first).not.toBe(second)
    expect(JSON.parse((await control.settings.get('owner_link')) ?? '')).toEqual({
      tokenSha256: createHash('sha256').update(token).digest('hex'),
      expiresAtMs: NOW + 72 * HOUR,
    })
    expect(await takeOwnerLink(at(control), tokenOf(first))).toBe(false)
    expect(await takeOwnerLink(at(control, NOW + 72 * HOUR), token)).toBe(false)
    expect(await takeOwnerLink(at(control, NOW + 72 * HOUR - 1), token)).toBe(true)
    expect(await takeOwnerLink(at(control), token)).toBe(false)
  })

  it('is made for each of several nodes that start at once, of which one works', async () => {
    const backend = newInstance()
    const nodes = await Promise.all([backend.open(), backend.open(), backend.open()])
    const links = await Promise.all(nodes.map((node) => linkOf(node)))
    const taken = []
    for (const link of links) taken.push(await takeOwnerLink(at(nodes[0]!), tokenOf(link)))
    expect(taken.sort()).toEqual([false, false, true])
  })

  it('lets one in of many who open it at once', async () => {
    const backend = newInstance()
    const nodes = await Promise.all([backend.open(), backend.open()])
    const token = tokenOf(await linkOf(nodes[0]!))
    const uses = await Promise.allSettled(
      [0, 1, 0, 1].map((node) => signInByOwnerLink(at(nodes[node]!), { token }, PLACE)),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is not made once the owner has a password, and one that still lives then ends', async () => {
    const control = await newInstance().open()
    const old = tokenOf(await linkOf(control))
    await ensureOwner(at(control), 'from the config')
    expect(await linkOf(control)).toBeUndefined()
    expect(await takeOwnerLink(at(control), old)).toBe(false)
  })

  it('can be asked for by an operator whose owner forgot the password, and signs in the same owner', async () => {
    const control = await newInstance().open()
    await ensureOwner(at(control), 'from the config')
    const token = tokenOf(await linkOf(control, { isRecovery: true }))
    const session = await control.sessions.find(await signInByOwnerLink(at(control), { token }, PLACE), NOW)
    expect(session).toMatchObject({ origin: 'owner_link', person: { email: 'owner@localhost', hasPassword: true } })
  })
})

describe('a password of the configuration', () => {
  it('makes one owner, however many nodes start at once, and never replaces a password', async () => {
    const backend = newInstance()
    const nodes = await Promise.all([backend.open(), backend.open()])
    await Promise.all(nodes.map((node) => ensureOwner(at(node), 'from the config')))
    await ensureOwner(at(nodes[0]!), 'another one')
    const found = await nodes[1]!.accounts.credentials('owner@localhost')
    expect(await isPassword('from the config', found?.passwordHash ?? null)).toBe(true)
    expect((await nodes[0]!.audit.list({ limit: 10 })).map(({ action }) => action)).toEqual(['person.created'])
  })

  it('obeys the rule for passwords, and the refusal names the variable', async () => {
    const control = await newInstance().open()
    const first = 'TIDEMARK_OWNER_PASSWORD is one of the first that anybody would try: choose another.'
    for (const guessed of ['password', '12345678', 'owner@localhost', 'Owner!!!'])
      await expect(ensureOwner(at(control), guessed), guessed).rejects.toThrow(first)
    const length = 'TIDEMARK_OWNER_PASSWORD must have 8 to 256 characters.'
    await expect(ensureOwner(at(control), 'long '.repeat(60))).rejects.toThrow(length)
    expect(await control.accounts.firstOwner()).toBeNull()
  })

  it('is not looked at once the owner has one, so that no start fails for it', async () => {
    const control = await newInstance().open()
    await ensureOwner(at(control), 'from the config')
    await expect(ensureOwner(at(control), 'password')).resolves.toBeUndefined()
  })

  it('is given to an owner who came by the link and has none', async () => {
    const control = await newInstance().open()
    const token = tokenOf(await linkOf(control))
    await signInByOwnerLink(at(control), { token }, PLACE)
    expect((await control.accounts.firstOwner())?.hasPassword).toBe(false)
    await ensureOwner(at(control), 'from the config')
    expect((await control.accounts.firstOwner())?.hasPassword).toBe(true)
  })
})
