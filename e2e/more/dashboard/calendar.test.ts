/** The calendar of the range: two clicks or keys for the days, times typed beside it. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Look, lookAt, SCHEMES } from '../../support/browser/browser.ts'
import { type Dashboard, MANY_PAGES_MS, openDashboard, unexpected } from '../../support/browser/dashboard-owner.ts'
import { eventually, parameterOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'

const unavailable = needsBrowser()
const NOW = new Date('2026-11-18T20:00:00Z')

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable === undefined) dashboard = await openDashboard('calendar-shop')
})
afterEach(() => dashboard?.leave())

const dayOf = (page: Page, name: RegExp | string) => page.getByRole('grid').getByRole('button', { name })
const focused = (page: Page) => page.locator(':focus').evaluate((element) => element.getAttribute('aria-label') ?? '')
const chosen = (page: Page) =>
  page
    .getByRole('grid')
    .locator('[aria-selected="true"]')
    .evaluateAll((all) => all.map((one) => one.textContent))

type Options = Parameters<Dashboard['visit']>[1]

/** In Kolkata it is the 19th already. */
async function openCalendar(search: string, options: Options = {}) {
  const { page, complaints } = await dashboard.visit(dashboard.at(`logs${search}`), {
    timezoneId: 'Asia/Kolkata',
    ...options,
  })
  await page.getByRole('region', { name: 'Stream' }).waitFor()
  await page.clock.setFixedTime(NOW)
  await page.keyboard.press('t')
  await page.getByRole('grid', { name: 'November 2026' }).waitFor()
  return { page, complaints }
}

describe('the calendar of the range', () => {
  it('takes two days by clicks in any order, and times to the second, in the zone of the page', async () => {
    const { page, complaints } = await openCalendar('')
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByRole('grid', { name: 'October 2026' }).waitFor()
    await dayOf(page, 'Wednesday 14 October 2026').click()
    await page.getByRole('status').getByText('Now choose the last day').waitFor()
    await dayOf(page, 'Monday 12 October 2026').click()
    expect(await chosen(page)).toEqual(['12', '13', '14'])
    await page.getByLabel('From 12 Oct 2026').fill('09:05:07')
    await page.getByLabel('To 14 Oct 2026').fill('2 pm')
    await page.getByRole('button', { name: 'Show this range' }).click()
    await page.getByRole('alert').getByText('"2 pm" is no time. Write one such as 14:30 or 14:30:05.').waitFor()
    await page.getByLabel('To 14 Oct 2026').fill('14:30')
    await page.getByLabel('To 14 Oct 2026').press('Enter')
    await eventually(() => parameterOf(page, 'from')).toBe('2026-10-12T03:35:07Z')
    expect(parameterOf(page, 'to')).toBe('2026-10-14T09:00Z')

    // While the field still has the focus, a key would be typed into it.
    await page.getByRole('grid', { name: 'October 2026' }).waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await page.keyboard.press('t')
    await page.getByRole('grid', { name: 'October 2026' }).waitFor()
    expect(await page.getByLabel('From 12 Oct 2026').inputValue()).toBe('03:35:07')
    expect(await page.getByLabel('To 14 Oct 2026').inputValue()).toBe('09:00')
    expect(unexpected(complaints)).toEqual([])
  })

  it('is reached and used by keys, is whole days without times, and goes no further than today', async () => {
    const { page, complaints } = await openCalendar('')
    await dayOf(page, /^Thursday 19 November 2026/).focus()
    const press = async (key: string, day: string) => {
      await page.keyboard.press(key)
      await eventually(() => focused(page), key).toContain(day)
    }
    await press('ArrowRight', 'Thursday 19 November 2026')
    await press('PageUp', 'Monday 19 October 2026')
    await press('End', 'Sunday 25 October 2026')
    await press('ArrowUp', 'Sunday 18 October 2026')
    await press('Home', 'Monday 12 October 2026')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Now choose the last day').waitFor()
    await press('ArrowDown', 'Monday 19 October 2026')
    expect(await chosen(page)).toHaveLength(8)
    await press('Shift+PageUp', 'Sunday 19 October 2025')
    await press('Shift+PageDown', 'Monday 19 October 2026')
    await press('ArrowLeft', 'Sunday 18 October 2026')
    await page.keyboard.press('Enter')
    expect(await chosen(page)).toHaveLength(7)
    await page.getByRole('button', { name: 'Show this range' }).click()
    await eventually(() => parameterOf(page, 'from')).toBe('2026-10-11T18:30Z')
    expect(parameterOf(page, 'to')).toBe('2026-10-18T18:30Z')
    expect(unexpected(complaints)).toEqual([])
  })

  it('has no days to come, and ends now where the last day is today', async () => {
    const { page } = await openCalendar('')
    const ahead = page.getByRole('grid').locator('[aria-disabled="true"]')
    expect((await ahead.allTextContents())[0]).toBe('20')
    expect(await ahead.getByRole('button').count()).toBe(0)
    const next = page.getByRole('button', { name: 'Next month' })
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    await next.press('Enter')
    await page.getByRole('grid', { name: 'November 2026' }).waitFor()
    await dayOf(page, /^Tuesday 17 November/).click()
    await dayOf(page, /^Thursday 19 November/).click()
    await page.getByRole('button', { name: 'Show this range' }).click()
    await eventually(() => parameterOf(page, 'from')).toBe('2026-11-16T18:30Z')
    expect(parameterOf(page, 'to')).toBeNull()
  })
})

describe('the open picker', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await openCalendar('?from=-3d', { bypassCSP: true })
    await lookAt(page, 'calendar', look, 390)
    await page.setViewportSize({ width: 390, height: 844 })
    const box = await page.getByRole('dialog', { name: 'Time range' }).boundingBox()
    if (box === null || box.x < 0 || box.x + box.width > 390) look.tooWide.push(JSON.stringify(box))
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
})
