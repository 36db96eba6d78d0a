import { describe, expect, it } from 'vitest'
import { LIVE_ERRORS_AFTER_MS, LiveShop } from './live-shop.ts'
import { makeWorld } from './world.ts'

const nowMs = Date.parse('2026-03-18T15:04:05.678Z')
const startMs = nowMs + 15_000
const world = makeWorld({ seed: 7, nowMs })

describe('the live shop', () => {
  it('logs a few records a second', () => {
    const records = new LiveShop(world, startMs).recordsOf({ fromMs: startMs, toMs: startMs + 60_000 })
    expect(records.length).toBeGreaterThan(60)
    expect(records.length).toBeLessThan(400)
  })

  it('begins to fail two minutes after the start, and never before the deploy it announces', () => {
    const shop = new LiveShop(world, startMs)
    const brokenMs = startMs + LIVE_ERRORS_AFTER_MS
    expect(LIVE_ERRORS_AFTER_MS).toBe(120_000)
    expect(shop.deploy.atMs).toBeLessThan(brokenMs)
    expect(shop.deploy.atMs).toBeGreaterThan(startMs)
    const failures = (fromMs: number, toMs: number) =>
      shop.recordsOf({ fromMs, toMs }).filter(({ error }) => error?.type === 'ZeroDivisionError')
    expect(failures(startMs, brokenMs)).toEqual([])
    const found = failures(brokenMs, brokenMs + 60_000)
    expect(found.length).toBeGreaterThan(5)
    for (const { release, timestamp } of found) {
      expect(release).toBe(shop.deploy.body.sha.slice(0, 7))
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(brokenMs)
    }
  })

  it('knows the answer, down to the line that its stacks name', () => {
    const { answer, ...shop } = new LiveShop(world, startMs)
    const { file, line, commit, deploy } = answer.cause
    expect(deploy).toEqual(answer.correlatedDeploy)
    expect(commit).toBe(deploy?.sha)
    expect(
      world.deploys.some(({ body }) => body.sha === shop.deploy.body.sha && body.environment === 'production'),
    ).toBe(false)
    const later = { fromMs: startMs + 200_000, toMs: startMs + 260_000 }
    const failure = new LiveShop(world, startMs).recordsOf(later).find(({ error }) => error?.type === answer.error.type)
    expect(failure?.error?.stack).toContain(`${file}", line ${line}, in discounted`)
  })
})
