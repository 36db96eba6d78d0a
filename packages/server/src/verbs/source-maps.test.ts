import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Control, openControl } from '../control/open.ts'
import type { Caller } from '../model/caller.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import { deleteSourceMaps, listSourceMapFiles, listSourceMaps } from './source-maps.ts'

const change = { by: 'operator', nowMs: Date.UTC(2026, 10, 15) }

let dataDir: string
let control: Control
let shop: ProjectWithSettings
let parts: { control: Control; now: () => number }

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'source-map-verbs-'))
  control = await openControl({ databaseUrl: undefined, dataDir })
  shop = await control.projects.find((await control.projects.create({ name: 'shop', retentionDays: 30 }, change)).id)
  parts = { control, now: () => change.nowMs }
  for (const release of ['1.0', '1.1', '1.2'])
    for (const file of ['a.js', 'b.js']) {
      const content = { compressed: Buffer.from('map'), loadedBytes: 9, sources: 1, mappings: 1 }
      await control.sourceMaps.put(shop.id, { release, file, digest: 'd', content }, change)
    }
})
afterEach(async () => {
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const person = (role: ProjectRole): Caller => ({ kind: 'person', personId: 'usr_ada', role, project: shop })

it('shows source maps to everybody in the project, a page at a time', async () => {
  const viewer = person('viewer')
  const first = await listSourceMaps(parts, viewer, { project: shop.id, limit: 2 })
  expect([first.releases.map(({ release }) => release), first.nextAfter]).toEqual([['1.0', '1.1'], '1.1'])
  const rest = await listSourceMaps(parts, viewer, { project: shop.id, limit: 2, after: '1.1' })
  expect([rest.releases.map(({ release }) => release), rest.nextAfter]).toEqual([['1.2'], null])
  const files = await listSourceMapFiles(parts, viewer, { project: shop.id, release: '1.0', limit: 1 })
  expect([files.files.map(({ file }) => file), files.nextAfter]).toEqual([['a.js'], 'a.js'])
})

it('lets owners and the operator delete those of a release, and nobody else', async () => {
  const input = { project: shop.id, release: '1.0' }
  const key: Caller = { kind: 'key', keyId: 'key_a', keyKind: 'ingest', project: shop }
  for (const caller of [person('viewer'), person('member'), key])
    await expect(deleteSourceMaps(parts, caller, input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listSourceMaps(parts, key, { project: shop.id })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await deleteSourceMaps(parts, person('owner'), input)).toEqual({ release: '1.0', files: 2 })
  await expect(deleteSourceMaps(parts, person('owner'), input)).rejects.toMatchObject({ code: 'not_found' })
  expect(await deleteSourceMaps(parts, { kind: 'operator' }, { project: 'shop', release: '1.1' })).toMatchObject({
    files: 2,
  })
})

it('knows nothing of another project', async () => {
  const stranger = { ...shop, id: 'prj_other' as typeof shop.id }
  const caller: Caller = { kind: 'person', personId: 'usr_eve', role: 'owner', project: stranger }
  await expect(deleteSourceMaps(parts, caller, { project: shop.id, release: '1.0' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await listSourceMaps(parts, caller, { project: stranger.id })).releases).toEqual([])
})
