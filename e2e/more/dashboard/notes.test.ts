/** Analyses as people work on them together: who looks after one, what was said of it, many at once, and found by words. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Analysis } from '../../../packages/server/src/model/analysis.ts'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Look, lookAt, SCHEMES } from '../../support/browser/browser.ts'
import { type Dashboard, MANY_PAGES_MS, openDashboard, unexpected } from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'

const unavailable = needsBrowser()
const REFUSED = 'connection refused by inventory'
const COLD = 'the price cache is cold'
const COMMENT = '<img src=x onerror=alert(1)> The pool was too small.\nNow it is not.'
const TICKET = 'https://tickets.example/shop/42'

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('notes-shop')
  const atMs = Date.now() - 10 * MINUTE_MS
  await send(dashboard.origin, dashboard.keys, [
    recordAt(atMs, REFUSED, { level: 'error' }),
    recordAt(atMs, COLD, { level: 'error', service: 'prices' }),
  ])
  await known((found) => found.length === 2 && errorsOf(found) === 2)
})

afterEach(() => dashboard?.leave())

const known = (isThere: (found: Analysis[]) => boolean = () => true) =>
  analysed(dashboard.service, dashboard.projectId, isThere)
const visit = (path: string, options: Parameters<Dashboard['visit']>[1] = {}) =>
  dashboard.visit(dashboard.at(path), options)
const pathOf = async (text: string) => `analyses/${(await known()).find(({ title }) => title.includes(text))?.id}`
const rowOf = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Analyses' }).getByRole('listitem').filter({ hasText: text })
const boxOf = (page: Page, text: string) => rowOf(page, text).getByRole('checkbox')
const chosenBar = (page: Page) => page.getByRole('toolbar', { name: 'Selected analyses' })

/** Whether all of the menu can be seen and reached. */
async function isMenuInSight(page: Page): Promise<boolean> {
  const box = await page.getByRole('menu').boundingBox()
  const size = page.viewportSize()
  if (box === null || size === null) return false
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height
}

describe('somebody who works on an analysis', () => {
  it('takes it with a key, says what was found out, links the ticket, and the list tells the others', async () => {
    const { page, complaints } = await visit(await pathOf(REFUSED))
    await page.getByRole('button', { name: 'Assign' }).waitFor()
    await page.keyboard.press('a')
    const me = page.getByRole('menuitem', { name: 'Ada you' })
    await me.waitFor()
    await eventually(() => isMenuInSight(page)).toBe(true)
    await me.click()
    await page.getByRole('button', { name: 'Ada', exact: true }).waitFor()

    const comments = page.getByRole('region', { name: 'Comments' })
    const field = comments.getByRole('textbox', { name: 'Comment' })
    await field.fill(COMMENT)
    await comments.getByRole('button', { name: 'Comment' }).click()
    await comments.getByRole('listitem').getByText(COMMENT).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    await eventually(() => field.inputValue()).toBe('')

    await page.getByRole('button', { name: 'Link a ticket' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('javascript:alert(1)')
    await dialog.getByRole('button', { name: 'Link' }).click()
    await dialog.getByText(/^The address /).waitFor()
    await dialog.getByLabel('Address').fill(TICKET)
    await dialog.getByRole('button', { name: 'Link' }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => page.locator(`a[href="${TICKET}"]`).count()).toBe(1)

    await page.goto(`${dashboard.origin}${dashboard.at('analyses')}`)
    await rowOf(page, REFUSED).waitFor()
    const told = await rowOf(page, REFUSED).textContent()
    for (const words of ['Assigned to Ada', 'has a ticket', '1 comment']) expect(told).toContain(words)
    expect(await rowOf(page, COLD).textContent()).not.toContain('Assigned')
    expect(unexpected(complaints, 400)).toEqual([])
  })

  it('reads on a phone who looks after it, and writes without the page being enlarged', async () => {
    const { page } = await visit('analyses', { viewport: { width: 390, height: 860 } })
    const name = rowOf(page, REFUSED).getByText('Ada', { exact: true })
    await name.waitFor()
    expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await page.goto(`${dashboard.origin}${dashboard.at(await pathOf(REFUSED))}`)
    const field = page.getByRole('region', { name: 'Comments' }).getByRole('textbox', { name: 'Comment' })
    await field.waitFor()
    // Below 16 px a phone zooms into the field.
    expect(
      await field.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).fontSize),
    ).toBe('16px')
  })

  it('writes a comment right after its button, and no letter of it is a shortcut', async () => {
    const { page } = await visit(await pathOf(COLD))
    await page
      .getByRole('button', { name: /^(Comment|\d+ comments?)$/ })
      .first()
      .click()
    await page.keyboard.type('reia is what it ran')
    const field = page.getByRole('region', { name: 'Comments' }).getByRole('textbox', { name: 'Comment' })
    expect(await field.inputValue()).toBe('reia is what it ran')
    const [box, size] = [await field.boundingBox(), page.viewportSize()]
    expect(box && size && box.y >= 0 && box.y + box.height <= size.height).toBe(true)
    const cold = (await known()).find(({ title }) => title.includes(COLD))
    expect(cold?.status).toBe('open')
  })

  it('resolves several at once with the box and a key, and takes it back with Undo', async () => {
    const { page, complaints } = await visit('analyses')
    const before = await boxOf(page, COLD).boundingBox()
    await boxOf(page, REFUSED).check()
    await chosenBar(page).getByText('1 analysis selected').waitFor()
    expect(await boxOf(page, COLD).boundingBox(), 'no row moves').toEqual(before)
    const all = page.getByRole('checkbox', { name: 'Select all' })
    expect(await all.evaluate((box) => box.matches(':indeterminate'))).toBe(true)
    await boxOf(page, COLD).check()
    expect(await all.isChecked()).toBe(true)
    await chosenBar(page).getByText('2 analyses selected').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('menuitem', { name: 'Ada you' }).waitFor()
    await eventually(() => isMenuInSight(page)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await boxOf(page, COLD).focus()
    await page.keyboard.press('e')
    const told = page.getByRole('status').filter({ hasText: 'Resolved 2 analyses' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await known((found) => found.every(({ status }) => status === 'open'))
    await rowOf(page, REFUSED).waitFor()
    await rowOf(page, COLD).waitFor()
    expect(await chosenBar(page).count()).toBe(0)
    expect(unexpected(complaints)).toEqual([])
  })

  it('reopens what is ignored with the keys that the page of an analysis has', async () => {
    const { page } = await visit('analyses')
    for (const key of ['e', 'i']) {
      await page.goto(`${dashboard.origin}${dashboard.at('analyses')}`)
      await boxOf(page, COLD).check()
      await page.keyboard.press('i')
      await page.getByRole('status').filter({ hasText: 'Ignored 1 analysis' }).waitFor()
      await page.goto(`${dashboard.origin}${dashboard.at('analyses?state=ignored')}`)
      await boxOf(page, COLD).check()
      expect(await chosenBar(page).getByRole('button', { name: 'Reopen' }).getAttribute('title')).toBe(
        'Reopen (e or i)',
      )
      await page.keyboard.press(key)
      await page.getByRole('status').filter({ hasText: 'Reopened 1 analysis' }).waitFor()
    }
  })

  it('finds an analysis by its words from any page', async () => {
    const { page, complaints } = await visit('deploys')
    await page.getByRole('heading', { level: 1, name: 'Deploys' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('cache cold')
    await page.getByRole('option', { name: new RegExp(COLD) }).click()
    await page.getByRole('heading', { level: 1, name: COLD }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a page on which people work together', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await visit(await pathOf(REFUSED), { bypassCSP: true })
    await page.getByRole('button', { name: /ticket$/ }).click()
    await page.getByRole('dialog').waitFor()
    await lookAt(page, 'ticket', look, 390)
    await page.goto(`${dashboard.origin}${dashboard.at('analyses')}`)
    await boxOf(page, REFUSED).check()
    await chosenBar(page).waitFor()
    await lookAt(page, 'chosen', look, 390)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('cache cold')
    await page.getByRole('option', { name: new RegExp(COLD) }).waitFor()
    await lookAt(page, 'palette', look, 390)
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
