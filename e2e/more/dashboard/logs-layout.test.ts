/** What has room on the logs page and what stands still there: live on and off, wrapped lines, a narrow stream, a phone. */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually, panelOf, parameterOf, rowOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const LONG = `a message of many words ${'that goes on and on '.repeat(12)}`

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('roomy-shop')
  const { origin, keys, service } = dashboard
  const nowMs = Date.now()
  await send(origin, keys, [
    ...Array.from({ length: 30 }, (_, minutes) => recordAt(nowMs - (minutes + 5) * MINUTE_MS, 'served')),
    recordAt(nowMs - 4 * MINUTE_MS, 'a neighbour', { service: 'payments' }),
    recordAt(nowMs - 3 * MINUTE_MS, LONG, { attributes: { 'http.method': 'PATCH', 'http.status': 200 } }),
  ])
  await settled(service)
})

afterEach(() => dashboard?.leave())

const iso = (ms: number) => new Date(ms).toISOString()
const placeOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  return box && { x: box.x, y: box.y, width: box.width }
}
const isSeen = (locator: Locator) => locator.evaluate((element) => element.getClientRects().length > 0)

describe('live', () => {
  const controlsOf = (page: Page) =>
    ['Query', 'Live', 'Zoom out (z)', 'Saved views'].map((name) => ({
      name,
      control: name === 'Query' ? page.getByRole('combobox', { name }) : page.getByRole('button', { name }).first(),
    }))

  it.each([1440, 390])('moves no control when it is switched on and off, at a width of %d', async (width) => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { viewport: { width, height: 900 } })
    await rowsOf(page).first().waitFor()
    const places = () => Promise.all(controlsOf(page).map(async ({ name, control }) => [name, await placeOf(control)]))
    const before = await places()
    const row = await placeOf(rowOf(page, LONG).first())
    await page.getByRole('button', { name: 'Live' }).click()
    await eventually(() => parameterOf(page, 'live')).toBe('on')
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor()
    expect(await places()).toEqual(before)
    expect(await placeOf(rowOf(page, LONG).first())).toEqual(row)
    await page.getByRole('button', { name: 'Live' }).click()
    await eventually(() => parameterOf(page, 'live')).toBe(null)
    expect(await places()).toEqual(before)
  })

  it('says that it leaves a range that has ended, and leads back to it', async () => {
    const range = { from: iso(Date.now() - 40 * MINUTE_MS), to: iso(Date.now() - 10 * MINUTE_MS) }
    const { page } = await dashboard.visit(dashboard.at(`logs?${new URLSearchParams(range)}`))
    await rowsOf(page).first().waitFor()
    await page.getByRole('button', { name: 'Live' }).click()
    await page.getByText('The live tail starts now').waitFor()
    await page.getByRole('button', { name: 'Back to the range' }).click()
    await eventually(() => parameterOf(page, 'to')).toBe(range.to)
    expect(parameterOf(page, 'from')).toBe(range.from)
    expect(parameterOf(page, 'live')).toBe(null)
  })

  it('says nothing where the range goes on', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await rowsOf(page).first().waitFor()
    await page.getByRole('button', { name: 'Live' }).click()
    await eventually(() => parameterOf(page, 'live')).toBe('on')
    expect(await page.getByText('The live tail starts now').count()).toBe(0)
  })
})

describe('a line that wraps', () => {
  it('has all its fields, and the bar of its level from its top to its bottom', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await rowsOf(page).first().waitFor()
    await page.keyboard.press('w')
    const row = rowOf(page, LONG).first()
    await row.getByText('http.method=PATCH').waitFor()
    await row.getByText('http.status=200').waitFor()
    const { line, bar, chips } = await row.evaluate((element) => {
      const boxOf = (one: typeof element) => one.getBoundingClientRect().toJSON()
      return {
        line: boxOf(element),
        bar: boxOf(element.querySelector('span[aria-hidden]') ?? element),
        chips: [...element.querySelectorAll('button')]
          .filter(({ textContent }) => textContent?.includes('='))
          .map(boxOf),
      }
    })
    expect(line.height).toBeGreaterThan(40)
    expect([bar.top, bar.bottom]).toEqual([line.top, line.bottom])
    expect(chips).toHaveLength(2)
    for (const { right, bottom } of chips) {
      expect(right).toBeLessThanOrEqual(line.right)
      expect(bottom).toBeLessThanOrEqual(line.bottom)
    }
  })
})

describe('a stream beside the panel of a record', () => {
  it('keeps room for the message and one line for its status, at a width of 1100', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?columns=http.method,http.status'), {
      viewport: { width: 1100, height: 800 },
    })
    const message = rowOf(page, LONG).first().getByText(LONG.trim())
    await message.click({ position: { x: 20, y: 8 } })
    await panelOf(page).waitFor()
    await eventually(async () => (await message.boundingBox())?.width).toBeGreaterThan(200)
    const status = page.getByRole('region', { name: 'Stream' }).getByRole('status').first()
    await status.getByText('records').waitFor()
    expect((await status.boundingBox())?.height).toBeLessThan(20)
  })

  it('names the service of each record around', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await rowOf(page, LONG).first().click()
    await panelOf(page).getByRole('tab', { name: 'Nearby' }).click()
    const around = page.getByRole('list', { name: 'Records around it' })
    await around.getByRole('listitem').filter({ hasText: 'a neighbour' }).getByText('payments').waitFor()
  })
})

describe('on a phone', () => {
  it('each line names its service', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { viewport: { width: 390, height: 844 } })
    const named = rowOf(page, 'a neighbour').first().getByText('payments')
    await named.first().waitFor({ state: 'attached' })
    const seen = await Promise.all((await named.all()).map(isSeen))
    expect(seen.filter(Boolean)).toHaveLength(1)
  })
})
