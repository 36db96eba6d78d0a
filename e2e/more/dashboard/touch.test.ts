/** On a phone: whatever is pressed is as high as a finger needs, and nothing is wider than the page. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, loaded, MANY_PAGES_MS, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { deployBetweenRecords, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed } from '../../support/service/analysed.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const SIZE = { viewport: { width: 390, height: 844 } }
const PHONE = { ...SIZE, hasTouch: true, isMobile: true }
/** What comes last, where that is after the page itself. */
const LAST: Record<string, string | RegExp> = {
  overview: 'Services',
  logs: 'checkout failed',
  'logs?view=groups&group=service': /^\d groups? in /,
  analyses: 'checkout failed',
}
const SECTIONS = ['keys', 'calls', 'project', 'redaction', 'repository', 'sourcemaps', 'alerts', 'grouping', 'members']

let dashboard: Dashboard
let inside: string[] = []

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('touch-shop')
  const { origin, keys, service, projectId } = dashboard
  await deployBetweenRecords(origin, keys)
  await send(origin, keys, [recordAt(Date.now() - MINUTE_MS, 'checkout failed', { level: 'error' })])
  await settled(service)
  const [analysis] = await analysed(service, projectId, (found) => found.length > 0)
  inside = [`analyses/${analysis?.id}`]
})

afterEach(() => dashboard?.leave())

/**
 * What is lower than a finger needs, of all that is seen. The rows of records are lists to read, dense also on a phone,
 * and what stands in a line of text is as high as the line. A box is pressed by its label.
 */
const tooLow = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const heightOf = (control) => {
      const target = control.matches('[type="checkbox"], [type="radio"]') ? control.closest('label') : control
      const around = getComputedStyle(target, '::after')
      const drawn = around.content === 'none' ? 0 : parseFloat(around.height)
      return Math.max(target.getBoundingClientRect().height, drawn || 0)
    }
    return [...document.querySelectorAll('button, select, input, [role="tab"], [role="menuitem"]')]
      .filter((control) => control.checkVisibility() && !control.closest('[aria-label="Records"], [data-deploy], p, dd'))
      .filter((control) => heightOf(control) < 40)
      .map((control) => (control.ariaLabel ?? control.textContent ?? '') + ' ' + control.className)
  })()`)

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

describe('on a phone', () => {
  it(
    'every control is high enough for a finger, and no page is wider than the phone',
    async () => {
      const { page } = await dashboard.visit('/account', PHONE)
      const low: Record<string, string[]> = {}
      const pages = ['overview', 'logs', 'logs?view=groups&group=service', 'analyses', 'deploys', ...inside]
      for (const path of [...pages, ...SECTIONS.map((section) => `settings/${section}`)]) {
        await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
        await loaded(page)
        const last = LAST[path]
        if (last !== undefined) await page.getByText(last).filter({ visible: true }).first().waitFor()
        const found = await tooLow(page)
        if (found.length > 0) low[path] = found
        expect(await widthOf(page), path).toBe(390)
      }
      expect(low).toEqual({})
    },
    MANY_PAGES_MS,
  )

  it('so are the days of the calendar, the entries of menus and what a dialog asks', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), PHONE)
    await page.getByRole('button', { name: 'Time range' }).tap()
    await page.getByRole('grid').waitFor()
    expect(await tooLow(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account and appearance' }).tap()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(await tooLow(page)).toEqual([])
    await page.goto(`${dashboard.origin}${dashboard.at('settings/keys')}`)
    await page.getByRole('region', { name: 'Read keys' }).getByRole('button', { name: 'Create' }).tap()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    expect(await tooLow(page)).toEqual([])
    expect(await widthOf(page)).toBe(390)
  })

  it('the sections of the settings are one line, with the one that is shown in sight', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/audit'), PHONE)
    await loaded(page)
    const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
    expect(tops.length).toBeGreaterThan(8)
    expect(new Set(tops).size).toBe(1)
    const shown = await links.filter({ hasText: 'Audit' }).boundingBox()
    expect(shown?.x).toBeGreaterThan(0)
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(390)
  })
})

describe('with a mouse', () => {
  it('a window as narrow as a phone keeps its dense controls', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/keys'), SIZE)
    const create = page.getByRole('region', { name: 'Read keys' }).getByRole('button', { name: 'Create' })
    expect((await create.boundingBox())?.height).toBe(28)
  })
})
