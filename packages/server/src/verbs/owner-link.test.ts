import { createHash } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { controlBackends } from '../testing/control.ts'
import { createOwnerLink } from './owner-link.ts'

const backend = controlBackends()[0]!
afterAll(() => backend.close())

it('puts a fresh token behind # and keeps only its hash, of the newest link, for 72 hours', async () => {
  const control = await backend.open()
  const make = () => createOwnerLink(control, { publicUrl: 'https://logs.example.com', nowMs: 1_000 })
  const [first, second] = [await make(), await make()]
  const token = /^https:\/\/logs\.example\.com\/welcome#([A-Za-z0-9_-]{32})$/.exec(second ?? '')?.[1] ?? ''
  expect(first).not.toBe(second)
  expect(JSON.parse((await control.settings.get('owner_link')) ?? '')).toEqual({
    tokenSha256: createHash('sha256').update(token).digest('hex'),
    expiresAtMs: 1_000 + 72 * 3_600_000,
  })
})

it('makes a link for each of several nodes that start at once, of which one works', async () => {
  const nodes = await Promise.all([backend.open(), backend.open(), backend.open()])
  const links = await Promise.all(nodes.map((node) => createOwnerLink(node, { publicUrl: 'http://x', nowMs: 2_000 })))
  const { tokenSha256 } = JSON.parse((await nodes[0]!.settings.get('owner_link')) ?? '')
  const hashes = links.map((link) =>
    createHash('sha256')
      .update(link?.split('#')[1] ?? '')
      .digest('hex'),
  )
  expect(hashes.filter((hash) => hash === tokenSha256)).toHaveLength(1)
})
