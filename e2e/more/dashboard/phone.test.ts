/** The logs on a phone: two lines for each record, days that are said once, patterns, and a help without a keyboard. */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../packages/wire/src/time/units.ts'
import { type Look, lookAt, SCHEMES } from '../../support/browser/browser.ts'
import { type Dashboard, loaded, MANY_PAGES_MS, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { scrolledToEnd } from '../../support/browser/frame-coverage.ts'
import { eventually, panelOf, parameterOf, rowOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { answerSearches } from '../../support/browser/synthetic-stream.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'

const unavailable = needsBrowser()
const PHONE = { viewport: { width: 390, height: 844 }, timezoneId: 'UTC' }
const ROW_PX = 44
const SHA = 'c0ffee1d4e5f60718293a4b5c6d7e8f901234567'
const REQUEST = 'POST /checkout/orders 500 in 1,312 ms'
const ROWS_OF_A_DAY = 30

let dashboard: Dashboard
/** Noon, so that the records of a day are all of it. */
let noonMs: number

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('phone-shop')
  const { origin, keys, service, projectId } = dashboard
  const nowMs = Date.now()
  noonMs = Math.floor(nowMs / DAY_MS) * DAY_MS - 12 * HOUR_MS
  const error = { type: 'CardError', message: 'declined', stack: 'CardError: declined\n    at pay (/app/pay.ts:3:1)' }
  const day = (fromMs: number) =>
    Array.from({ length: ROWS_OF_A_DAY }, (_, at) => recordAt(fromMs + at * 1_000, `served ${at} of a day`))
  await deployAt(origin, keys, nowMs - 30 * 60_000, { sha: SHA, message: 'Prices by currency' })
  await send(origin, keys, [
    ...day(noonMs),
    ...day(noonMs - DAY_MS),
    recordAt(nowMs - 60_000, REQUEST, { service: 'web', attributes: { 'http.status': 500 } }),
    recordAt(nowMs - 120_000, 'payment failed', { level: 'error', service: 'payments', error }),
  ])
  await analysed(service, projectId, (found) => errorsOf(found) === 1)
})

afterEach(() => dashboard?.leave())

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('It is not shown.')
  return box
}
const isCut = (locator: Locator) => locator.evaluate((element) => element.scrollWidth > element.clientWidth)
const dayAbove = (page: Page) => page.getByTitle('Day of the first row below')
const patternOf = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Patterns' }).getByRole('listitem').filter({ hasText: text })

describe('a record on a phone', () => {
  it('has its message below its time, over the width of the page, and what was chosen beside its service', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?columns=http.status'), PHONE)
    const row = rowOf(page, REQUEST).first()
    const message = row.getByText(REQUEST)
    await message.waitFor()
    const [line, words, time] = [await boxOf(row), await boxOf(message), await boxOf(row.locator('time'))]
    expect(line.height).toBe(ROW_PX)
    expect(words.y).toBeGreaterThanOrEqual(time.y + time.height)
    expect(words.x).toBeCloseTo(time.x, 0)
    expect(words.width).toBeGreaterThan(340)
    expect(await isCut(message)).toBe(false)
    const chosen = await boxOf(row.getByText('http.status=500'))
    expect(chosen.y + chosen.height).toBeLessThanOrEqual(words.y + 4)
  })

  it('opens wherever it is touched, and its analysis by a link that a finger hits', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), PHONE)
    const row = rowOf(page, 'payment failed').first()
    await row.locator('time').click()
    await panelOf(page).waitFor()
    await page.goBack()
    await panelOf(page).waitFor({ state: 'detached' })
    await row.click()
    await panelOf(page).waitFor()
    await page.goBack()
    const link = row.getByRole('link', { name: 'Open its analysis' })
    const { width, height } = await boxOf(link)
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(32)
    await link.click()
    await page.waitForURL(/\/analyses\/ana_/)
    expect(parameterOf(page, 'record')).toBe(null)
  })

  it('can be wrapped, and is then as high as its words', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), PHONE)
    const row = rowOf(page, REQUEST).first()
    await row.waitFor()
    await page.keyboard.press('w')
    const chip = row.getByText('http.status=500')
    await chip.waitFor()
    await eventually(async () => (await boxOf(row)).height).toBeGreaterThan(ROW_PX)
    const [line, last] = [await boxOf(row), await boxOf(chip)]
    expect(last.y + last.height).toBeLessThanOrEqual(line.y + line.height)
  })

  it('of several days has its clock alone: the day is said where it begins and above the rows', async () => {
    const { page } = await dashboard.visit(dashboard.at(`logs?from=${new Date(noonMs - DAY_MS).toISOString()}`), PHONE)
    const dayOf = (timeMs: number) =>
      new Date(timeMs).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', timeZone: 'UTC' })
    // Rows below the window are drawn after the first frame, so wait for the older day.
    await rowOf(page, 'served 29').nth(1).waitFor()
    const times = await rowsOf(page).locator('time').allTextContents()
    const dated = times.filter((time) => !/^\d\d:\d\d:\d\d\.\d{3}$/.test(time))
    expect(dated).toEqual([noonMs, noonMs - DAY_MS].map((dayMs) => `${dayOf(dayMs)} 12:00:29.000`))
    await dayAbove(page).getByText(dayOf(Date.now())).waitFor()
    await rowsOf(page).first().hover()
    await page.mouse.wheel(0, 100_000)
    await dayAbove(page)
      .getByText(dayOf(noonMs - DAY_MS))
      .waitFor()
  })

  it('of one day says no day at all', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), PHONE)
    await rowsOf(page).first().waitFor()
    expect(await dayAbove(page).count()).toBe(0)
  })

  it('is one of thousands that are scrolled through without a blank frame', async () => {
    const ROWS = 2_000
    const { page } = await dashboard.visit('/account', PHONE)
    await answerSearches(page, ROWS)
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await rowOf(page, 'row 0 of').waitFor()
    await loaded(page)
    const seen = await scrolledToEnd(page, { rows: ROWS, rowPx: ROW_PX, stepPx: 616, giveUpMs: 80_000 })
    expect(seen.lastIndex).toBe(ROWS - 1)
    expect(seen.blank).toEqual([])
    expect(seen.misplaced).toEqual([])
  })
})

describe('a deploy on a phone', () => {
  it('says in its first line what was deployed where, and in its second what came with it', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), PHONE)
    const row = rowsOf(page).filter({ has: page.locator('[data-deploy-row]') })
    const brought = row.getByText('1 new analysis since', { exact: true })
    await brought.waitFor()
    const what = row.getByText('deployed to production')
    expect(await isCut(what)).toBe(false)
    const [line, first, second] = [await boxOf(row), await boxOf(what), await boxOf(brought)]
    expect(line.height).toBe(ROW_PX)
    expect(second.y).toBeGreaterThanOrEqual(first.y + first.height)
    expect(second.x + second.width).toBeLessThanOrEqual(390)
  })
})

describe('the live tail on a phone', () => {
  it('can be paused while it is on, and takes no room for that while it is off', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), PHONE)
    await rowsOf(page).first().waitFor()
    const pause = page.getByRole('button', { name: 'Pause' })
    expect(await pause.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await pause.waitFor()
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await pause.waitFor({ state: 'hidden' })
  })
})

describe('a pattern on a phone', () => {
  const since = async (query = '') => {
    const { page } = await dashboard.visit(dashboard.at(`logs?view=patterns${query}`), PHONE)
    await patternOf(page, 'payment failed').waitFor()
    return page
  }

  it('has its numbers above its words, aligned with them, and its service beside them', async () => {
    const page = await since()
    const row = patternOf(page, 'payment failed')
    const words = await boxOf(row.getByText('payment failed'))
    const count = await boxOf(row.getByText('1', { exact: true }))
    const service = await boxOf(row.getByText('payments', { exact: true }))
    expect((await boxOf(row)).height).toBeLessThan(60)
    expect(count.x).toBeCloseTo(words.x, 0)
    expect(count.y + count.height).toBeLessThanOrEqual(words.y)
    expect(service.y).toBeCloseTo(words.y, 0)
  })

  it('is compared with a deploy whose name is whole in its box', async () => {
    const page = await since()
    const choice = page.getByRole('combobox', { name: 'Compare with' })
    const option = choice.locator('option').filter({ hasText: 'c0ffee1' })
    await choice.selectOption((await option.getAttribute('value')) ?? '')
    await eventually(() => choice.locator('option:checked').textContent()).toBe('Since c0ffee1')
  })
})

describe('the help on a phone', () => {
  it('is about queries first, which run when they are touched, and about the keyboard after that', async () => {
    const { page } = await dashboard.visit(dashboard.at('analyses'), PHONE)
    await page.getByRole('button', { name: 'Account and appearance' }).click()
    await page.getByRole('menuitem', { name: 'Help' }).click()
    const help = page.getByRole('dialog', { name: 'Help' })
    await help.waitFor()
    const headings = await help.getByRole('heading').allTextContents()
    expect(headings.slice(0, 4)).toEqual(['Help', 'Queries', 'Keyboard shortcuts', 'Everywhere'])
    await help.getByRole('link', { name: 'level:>=error' }).click()
    await help.waitFor({ state: 'detached' })
    await rowOf(page, 'payment failed').first().waitFor()
    expect(parameterOf(page, 'query')).toBe('level:>=error')
  })
})

describe('a page of logs on a phone', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await dashboard.visit(dashboard.at('logs?from=-3d&columns=http.status'), {
      ...PHONE,
      bypassCSP: true,
    })
    await rowsOf(page).first().waitFor()
    await loaded(page)
    await lookAt(page, 'rows', look, 390)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Help' }).waitFor()
    await lookAt(page, 'help', look, 390)
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than the phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
