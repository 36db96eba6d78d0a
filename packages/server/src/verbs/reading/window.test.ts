import { HOUR_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { Analysis } from '../../model/analysis.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import { resolveUnlimited, resolveWindow, usedWindow } from './window.ts'

const NOW_US = Date.parse('2026-03-01T12:00:00Z') * 1_000
const DEPLOYS = [
  { id: 'dep_b', environment: 'staging', status: 'succeeded', deployedAtUs: NOW_US - HOUR_US },
  { id: 'dep_a', environment: 'production', status: 'succeeded', deployedAtUs: NOW_US - 2 * HOUR_US },
] as Deploy[]

const parts = {
  project: { id: 'prj_a' as ProjectId, retentionDays: 30 },
  deploys: {
    get: async (_: ProjectId, id: string) => DEPLOYS.find((deploy) => deploy.id === id) ?? null,
    latest: async (_: ProjectId, environment?: string) =>
      DEPLOYS.find((deploy) => (environment ?? deploy.environment) === deploy.environment) ?? null,
  },
  analyses: {
    get: async (_: ProjectId, id: string) =>
      id === 'ana_1' ? ({ episodes: [{ anchorUs: NOW_US - 3 * HOUR_US }] } as Analysis) : null,
  },
  nowUs: NOW_US,
}

const window = async (input: Parameters<typeof resolveWindow>[0]) => usedWindow(await resolveWindow(input, parts))

describe('a window', () => {
  it('is the last 24 hours when nothing is said', async () => {
    expect(await window({})).toEqual({ from: '2026-02-28T12:00:00Z', to: '2026-03-01T12:00:00Z' })
  })

  it('begins and ends where it is told to', async () => {
    expect(await window({ from: '2026-02-27', to: 'now-1h' })).toEqual({
      from: '2026-02-27T00:00:00Z',
      to: '2026-03-01T11:00:00Z',
    })
  })

  it('counts from a deploy, the latest one of the environment asked for', async () => {
    const from = 'deploy:latest-15m'
    expect((await window({ from })).from).toBe('2026-03-01T10:45:00Z')
    expect((await window({ from, environment: 'production' })).from).toBe('2026-03-01T09:45:00Z')
    expect((await window({ from: 'deploy:dep_a+5m' })).from).toBe('2026-03-01T10:05:00Z')
  })

  it('counts from the anchor of an analysis', async () => {
    const around = { from: 'analysis:ana_1-15m', to: 'analysis:ana_1+1h' }
    expect(await window(around)).toEqual({ from: '2026-03-01T08:45:00Z', to: '2026-03-01T10:00:00Z' })
    await expect(window({ from: 'analysis:ana_2' })).rejects.toMatchObject({
      fields: [{ path: 'from', message: expect.stringContaining('There is no analysis with the id ana_2.') }],
    })
  })

  it('is refused when there is no such deploy, and says where to find one', async () => {
    await expect(window({ from: 'deploy:dep_c' })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'from', message: expect.stringContaining('There is no deploy with the id dep_c.') }],
    })
    await expect(window({ from: 'deploy:latest', environment: 'qa' })).rejects.toThrow('There is no deploy yet')
  })

  it('is refused when it is empty, turned around or no time', async () => {
    await expect(window({ from: 'now', to: 'now' })).rejects.toThrow('is not before to')
    await expect(window({ from: '-1h', to: '-2h' })).rejects.toMatchObject({ fields: [{ path: 'from' }] })
    await expect(window({ to: 'tomorrowish' })).rejects.toMatchObject({ fields: [{ path: 'to' }] })
  })

  it('is shortened to what is kept, with a warning', async () => {
    const { warnings, ...range } = await resolveWindow({ from: '2016-03-01' }, parts)
    expect(usedWindow(range)).toEqual({ from: '2026-01-29T12:00:00Z', to: '2026-03-01T12:00:00Z' })
    expect(warnings.map(({ message }) => message)).toEqual([
      'Records are kept for 30 days, so the window was shortened to begin at 2026-01-29T12:00:00Z.',
    ])
    expect((await resolveWindow({ from: '-31d' }, parts)).warnings).toEqual([])
  })

  it('is as wide as asked for when it is about deploys', async () => {
    const range = await resolveUnlimited({}, parts, { defaultFrom: '1970-01-01' })
    expect(usedWindow(range)).toEqual({ from: '1970-01-01T00:00:00Z', to: '2026-03-01T12:00:00Z' })
  })
})
