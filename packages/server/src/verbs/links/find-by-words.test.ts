import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { openReading } from '../open-reading.ts'

const NOW_MS = Date.UTC(2026, 0, 20, 12)
const NOW_US = NOW_MS * 1_000
const backend = controlBackends()[0]!
const operator = { by: 'operator', nowMs: 0 }
const SHA = '4f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39'
let control: Control
let shop: ProjectWithSettings
let stranger: ProjectWithSettings

beforeAll(async () => {
  control = await backend.open()
  const made = async (name: string) => {
    const { id } = await control.projects.create({ name, retentionDays: 30 }, operator)
    return (await control.projects.get(id))!
  }
  ;[shop, stranger] = [await made('shop'), await made('stranger')]
  const deploy = { sha: SHA, environment: 'production', deployedAtUs: NOW_US, message: 'Round Prices\n\nonce' }
  await control.deploys.record(shop.id, { ...deploy, author: 'Grace' }, NOW_MS)
  for (let at = 0; at < 20; at += 1) {
    await control.deploys.record(shop.id, { sha: `v1.${at}`, environment: 'canary', deployedAtUs: NOW_US - at }, NOW_MS)
  }
  const groups = ['TypeError: no total', 'RangeError: no total'].map((title, at) =>
    errorGroup(shop.id, { title, fingerprint: `00000000000000a${at}`, atUs: NOW_US - at - 1 }),
  )
  await control.analyses.record([{ segmentId: 'seg_find', groups }], NOW_MS)
})
afterAll(() => backend.close())

/** Without a log store: what is asked while somebody types must not need one. */
async function find(text: string, project = shop) {
  const parts = { control, logStore: { project: () => ({}) as never }, now: () => NOW_MS }
  const reading = openReading({ ...parts, secretKey: 'secret', publicUrl: 'https://logs.example' })
  const found = await reading.findByWords({ kind: 'key', keyId: 'key_1', keyKind: 'read', project }, { text })
  return { analyses: found.analyses.map(({ title }) => title), deploys: found.deploys.map(({ sha }) => sha) }
}

it('finds analyses by all words of title, error or file, newest first, whatever their case', async () => {
  expect((await find('no TOTAL')).analyses).toEqual(['TypeError: no total', 'RangeError: no total'])
  expect((await find('range total')).analyses).toEqual(['RangeError: no total'])
  expect((await find('cart.ts')).analyses).toHaveLength(2)
  const [one] = await control.analyses.list(shop.id, { sort: 'firstSeen', limit: 1 }, NOW_US)
  for (const id of [one!.id, one!.id.toUpperCase()]) expect((await find(id)).analyses, id).toEqual([one!.title])
})

it('finds deploys by the beginning of their revision, by words of their message, author and place', async () => {
  for (const text of ['4F2A9C1', SHA, 'prices round', 'grace', '4f2a9c1d8e']) {
    expect((await find(text)).deploys, text).toEqual([SHA])
  }
  expect((await find('canary')).deploys).toEqual(['v1.0', 'v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.5'])
})

it('finds nothing for too little, for nothing, and in another project', async () => {
  const nothing = { analyses: [], deploys: [] }
  for (const text of ['', ' ', 'n', '%', '__', '"', 'no such word']) expect(await find(text), text).toEqual(nothing)
  for (const text of ['total', SHA, 'canary']) expect(await find(text, stranger), text).toEqual(nothing)
})
