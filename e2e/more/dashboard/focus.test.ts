/** With the keyboard alone: every stop can be seen, and the way from a record to its deploy needs no pointer. */

import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, loaded, MANY_PAGES_MS, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { inPage, panelOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed } from '../../support/service/analysed.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const SHA = 'c0ffee1d4e5f60718293a4b5c6d7e8f901234567'
/** More than any of the pages has; it ends where the focus has been all around. */
const MAX_STOPS = 200

let dashboard: Dashboard
let analysisId: string | undefined

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('focus-shop')
  const { origin, keys, service } = dashboard
  const deployMs = Math.floor(Date.now() / 1_000) * 1_000 - 20 * MINUTE_MS
  await send(origin, keys, [
    ...Array.from({ length: 20 }, (_, at) => recordAt(deployMs - (at + 1) * 10_000, `request ${at} served`)),
    ...Array.from({ length: 5 }, (_, at) =>
      recordAt(deployMs + (at + 4) * 10_000, 'checkout failed', {
        level: 'error',
        error: {
          type: 'TypeError',
          message: 'total is undefined',
          stack: 'TypeError: total is undefined\n    at pay (/app/src/pay.ts:6:20)',
        },
      }),
    ),
  ])
  await deployAt(origin, keys, deployMs, { sha: SHA })
  await settled(service)
  const [analysis] = await analysed(service, dashboard.projectId, (found) => found.length > 0)
  analysisId = analysis?.id
})

afterEach(() => dashboard?.leave())

/**
 * What has the focus, and how far its ring is cut off on each side by what it lies in. A field without a ring of its own
 * stands in a frame that takes the colour of the focus.
 */
const FOCUSED = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return null
  element.dataset.stop ??= String(document.querySelectorAll('[data-stop]').length)
  const name = element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
  const style = getComputedStyle(element)
  const ring = Number.parseFloat(style.outlineWidth)
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--color-accent')
  const probe = Object.assign(document.createElement('i'), { style: 'color:' + accent })
  document.body.append(probe)
  const colour = getComputedStyle(probe).color
  probe.remove()
  const hasFrame = [element, element.parentElement, element.parentElement?.parentElement].some((one) => one && getComputedStyle(one).borderTopColor === colour)
  if (style.outlineStyle === 'none' || ring === 0) return { name, stop: element.dataset.stop, isSeen: hasFrame, cut: 0 }
  const reach = ring + Number.parseFloat(style.outlineOffset)
  const box = element.getBoundingClientRect()
  const edges = { left: box.left - reach, top: box.top - reach, right: box.right + reach, bottom: box.bottom + reach }
  let cut = Math.max(-edges.left, -edges.top, edges.right - innerWidth, edges.bottom - innerHeight, 0)
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent)
    if (overflowX === 'visible' && overflowY === 'visible') continue
    const inside = parent.getBoundingClientRect()
    cut = Math.max(cut, inside.left - edges.left, inside.top - edges.top, edges.right - inside.right, edges.bottom - inside.bottom)
  }
  return { name, stop: element.dataset.stop, isSeen: true, cut: Math.round(cut * 10) / 10 }
})()`

type Stop = { name: string; stop: string; isSeen: boolean; cut: number } | null

async function stopsOf(page: Page): Promise<NonNullable<Stop>[]> {
  const stops = new Map<string, NonNullable<Stop>>()
  for (let pressed = 0; pressed < MAX_STOPS; pressed++) {
    await page.keyboard.press('Tab')
    const stop = (await inPage(page, FOCUSED)) as Stop
    if (stop === null) continue
    if (stops.has(stop.stop)) break
    stops.set(stop.stop, stop)
  }
  return [...stops.values()]
}

describe('every stop of the keyboard', () => {
  it(
    'is seen, all around',
    async () => {
      const { page } = await dashboard.visit(dashboard.at('logs'))
      const places: { path: string; opens?: () => Promise<void> }[] = [
        { path: 'overview' },
        { path: 'logs?query=level:error', opens: openRecord },
        { path: 'logs?view=patterns' },
        { path: 'logs?view=groups&group=service' },
        { path: 'analyses' },
        { path: 'analyses', opens: select },
        { path: `analyses/${analysisId}` },
        { path: 'deploys' },
        { path: 'deploys', opens: () => page.getByRole('link', { name: /c0ffee1/ }).click() },
        { path: 'settings/keys' },
        { path: 'settings/alerts' },
      ]
      const unseen: string[] = []
      for (const { path, opens } of places) {
        await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
        await loaded(page)
        await opens?.()
        await loaded(page)
        const stops = await stopsOf(page)
        expect(stops.length, path).toBeGreaterThan(10)
        unseen.push(
          ...stops
            .filter(({ isSeen, cut }) => !isSeen || cut >= 1)
            .map((stop) => `${path} ${stop.name}: cut ${stop.cut}`),
        )
      }
      expect(unseen).toEqual([])

      async function select() {
        await page.keyboard.press('j')
        await page.keyboard.press('x')
        await page.getByRole('toolbar', { name: 'Selected analyses' }).waitFor()
      }

      async function openRecord() {
        await rowsOf(page).first().waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('Enter')
        await panelOf(page).getByText('Part of analysis').waitFor()
      }
    },
    MANY_PAGES_MS,
  )
})

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let pressed = 1; pressed <= MAX_STOPS; pressed++) {
    await page.keyboard.press('Tab')
    const stop = (await inPage(page, FOCUSED)) as Stop
    if (stop !== null && name.test(stop.name)) return
  }
  throw new Error(`Tab never reached ${name}.`)
}

describe('the way from a record to what broke it', () => {
  it('needs no pointer: its analysis, the deploy, and from there anywhere', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=level:error'))
    await rowsOf(page).filter({ hasText: 'checkout failed' }).first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await panelOf(page).getByText('Part of analysis').waitFor()
    await tabTo(page, /Part of analysis/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /TypeError/ }).waitFor()
    await tabTo(page, /^a Open the deploy/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'c0ffee1' }).waitFor()
    await tabTo(page, /^a Patterns since this deploy/)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Commands' })
    await palette.waitFor()
    await page.keyboard.type('TypeError')
    await palette.getByRole('option', { name: /^TypeError.* in production$/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /TypeError/ }).waitFor()
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  })
})
