/** What is easily broken on the logs page: a tooltip after a zoom, facets while live, long frames, typing on a phone. */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, loaded, openDashboard, unexpected } from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually, panelOf, parameterOf, rowOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const LONG_FUNCTION = `OrderPipeline.${'applyDiscountsOfEveryKindAndThenRound'.repeat(4)}LastOfIt`
const LONG_ATTRIBUTES = {
  'http.method': 'PATCH',
  'http.route': '/accounts/:account/orders/:order/lines',
  'http.status': 200,
}
const STACK = `RangeError: no such discount
    at ${LONG_FUNCTION} (/app/services/checkout/src/pipeline/discounts/apply-discounts.ts:118:27)
    at next (/app/node_modules/a-framework-with-a-long-name/lib/router/${'deeper/'.repeat(20)}layer.js:95:5)`

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('details-shop')
  const { origin, keys, service } = dashboard
  const nowMs = Date.now()
  const error = { type: 'RangeError', message: 'no such discount', stack: STACK }
  await send(origin, keys, [
    ...Array.from({ length: 50 }, (_, minutes) => recordAt(nowMs - (minutes + 1) * MINUTE_MS, 'served')),
    recordAt(nowMs - 2 * MINUTE_MS, 'checkout failed', { level: 'error', error }),
    recordAt(nowMs - 3 * MINUTE_MS, 'many attributes', { attributes: LONG_ATTRIBUTES }),
    ...Array.from({ length: 30 }, (_, at) =>
      recordAt(nowMs - 4 * MINUTE_MS - at, `declined ${'.'.repeat(40 + 3 * at)}`, {
        level: 'error',
        attributes: { 'http.method': 'POST' },
      }),
    ),
  ])
  await settled(service)
})

afterEach(() => dashboard?.leave())

const chartOf = (page: Page) => page.getByRole('region', { name: 'Records over time' })
const tipsOf = (page: Page) => chartOf(page).locator('.float')
const dimmedOf = (page: Page) => chartOf(page).locator('svg g:not([opacity="1"])')

describe('a bad regular expression', () => {
  it('is told with its cure, and nothing is asked for it', async () => {
    const { page, complaints } = await dashboard.visit('/projects')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(
      `${dashboard.origin}${dashboard.at('logs')}?query=${encodeURIComponent('message:/checkout (failed/')}`,
    )
    await page.getByText('The group that opens at character 19 is not closed.').waitFor()
    await page.getByText('Add a ), or write \\( for the sign itself.').waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((url) => url.includes('/logs?') && url.includes('/api/'))).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe('the chart', () => {
  it('leaves neither a tooltip nor dimmed bars behind when it is zoomed into', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('logs'))
    await rowsOf(page).first().waitFor()
    const bars = chartOf(page).locator('svg g')
    await bars.nth(5).waitFor()
    await bars.nth(5).locator('rect').first().hover({ force: true })
    await tipsOf(page).waitFor()
    expect(await dimmedOf(page).count()).toBeGreaterThan(0)
    await page.mouse.down()
    await page.mouse.up()
    await eventually(() => parameterOf(page, 'from')).not.toBe(null)
    await page
      .getByRole('region', { name: 'Stream' })
      .getByRole('status')
      .getByText(/^[1-4] records?$/)
      .waitFor()
    expect(await tipsOf(page).count()).toBe(0)
    expect(await dimmedOf(page).count()).toBe(0)
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('the facets', () => {
  it('go on counting while records come in live', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?live=on'))
    const facets = page.getByRole('complementary', { name: 'Fields' })
    await facets.getByText('shop', { exact: true }).waitFor()
    expect(await facets.getByText('latecomer', { exact: true }).count()).toBe(0)
    await send(dashboard.origin, dashboard.keys, [recordAt(Date.now(), 'a late record', { service: 'latecomer' })])
    await rowOf(page, 'a late record').first().waitFor()
    await facets.getByText('latecomer', { exact: true }).waitFor()
  })
})

describe('the values of a facet', () => {
  it('are listed further, searched and taken alone, with their counts in sight', async () => {
    const tenants = Array.from({ length: 24 }, (_, index) => `tenant-${index + 1}`)
    const records = tenants.map((tenant) => recordAt(Date.now(), 'of a tenant', { attributes: { tenant } }))
    await send(dashboard.origin, dashboard.keys, records)
    await settled(dashboard.service)
    const { page, complaints } = await dashboard.visit(dashboard.at('logs?query=tenant'))
    await rowOf(page, 'of a tenant').first().waitFor()
    const facets = page.getByRole('complementary', { name: 'Fields' })
    const values = facets.getByRole('button', { name: /^tenant-\d+/ })
    await facets.getByText('tenant', { exact: true }).click()
    await eventually(() => values.count()).toBe(5)
    const more = facets.getByRole('button', { name: /^More values of tenant/ })
    await more.click()
    await eventually(() => values.count()).toBe(20)
    await more.click()
    await eventually(() => values.count()).toBe(24)
    await facets.getByRole('textbox', { name: 'Search the values of tenant' }).fill('T-24')
    await eventually(() => values.allInnerTexts()).toEqual(['tenant-24\n1'])
    await values.hover()
    expect(await values.innerText()).toBe('tenant-24\n1')
    await facets.getByRole('button', { name: 'Only tenant tenant-24' }).click()
    await eventually(() => parameterOf(page, 'query')).toBe('tenant tenant:tenant-24')
    await facets.getByRole('textbox', { name: 'Search the values of tenant' }).fill('t-3')
    await eventually(() => values.allInnerTexts()).toEqual(['tenant-3\n1'])
    await values.hover()
    await facets.getByRole('button', { name: 'Only tenant tenant-3' }).click()
    await eventually(() => parameterOf(page, 'query')).toBe('tenant tenant:tenant-3')
    await facets.getByRole('button', { name: 'tenant-3', pressed: true }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('are none of the query before when nothing matches', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const facets = page.getByRole('complementary', { name: 'Fields' })
    await facets.getByText('shop', { exact: true }).waitFor()
    await page.getByRole('combobox').fill('service:nowhere')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await facets.getByText('No records match.').waitFor()
    await facets.getByRole('button', { name: 'nowhere', pressed: true }).waitFor()
    await facets.getByRole('button', { name: /^shop/ }).waitFor()
    expect(await facets.getByText('host', { exact: true }).count(), 'a field that is not in the query').toBe(0)
  })
})

describe('the stack in the record panel', () => {
  it.each([1440, 390])('wraps long frames with an indent, at a width of %d', async (width) => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=level:error'), {
      viewport: { width, height: 900 },
    })
    await rowOf(page, 'checkout failed').first().click()
    const stack = panelOf(page).getByRole('region', { name: 'Stack' })
    await stack.getByText(LONG_FUNCTION).waitFor()
    expect(await stack.innerText(), 'its first line stands above it').not.toContain('no such discount')
    await panelOf(page).getByRole('region', { name: 'Error' }).getByText('RangeError: no such discount').waitFor()
    await eventually(() => placesOfLines(stack)).toEqual({ isWrapped: true, isIndented: true, isSeen: true })
  })
})

/** Positions of the lines of its first frame. */
function placesOfLines(stack: Locator) {
  return stack.evaluate((box) => {
    const frame = box.querySelector('pre')?.firstChild
    const range = box.ownerDocument.createRange()
    if (frame) range.selectNodeContents(frame)
    const [first, ...others] = [...range.getClientRects()].filter((one) => one.width > 0)
    return {
      isWrapped: others.length > 0,
      isIndented: others.every(({ left }) => left > (first?.left ?? 0)),
      isSeen: others.every(({ right }) => right <= box.getBoundingClientRect().right + 1),
    }
  })
}

describe('a line', () => {
  it('shows each of its attributes whole or not at all, and first the one that says most', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { viewport: { width: 1200, height: 900 } })
    const first = rowOf(page, 'many attributes').getByText('http.method=PATCH')
    await first.waitFor()
    const chips = await first.locator('..').evaluate((box) => {
      const around = box.getBoundingClientRect()
      return [...box.children].map((chip) => {
        const { left, top, bottom } = chip.getBoundingClientRect()
        return {
          text: chip.textContent,
          isSeen: top >= around.top - 1 && bottom <= around.bottom + 1,
          isCut: left < around.left - 1,
        }
      })
    })
    expect(chips.map(({ text }) => text?.split('=')[0])).toEqual(['http.method', 'http.route', 'http.status'])
    expect(chips.filter(({ isCut }) => isCut)).toEqual([])
    const unseen = chips.findIndex(({ isSeen }) => !isSeen)
    expect(unseen).toBeGreaterThan(0)
    expect(chips.slice(unseen).filter(({ isSeen }) => isSeen)).toEqual([])
  })

  it('of an error shows each of its attributes whole or not at all, however long its message is', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { viewport: { width: 1440, height: 900 } })
    await rowOf(page, 'declined').last().waitFor()
    const shown = await rowOf(page, 'declined').evaluateAll((rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll('button')].flatMap((chip) => {
          const box = chip.parentElement?.getBoundingClientRect()
          if (!chip.textContent?.startsWith('http.') || !box) return []
          const { left, top, bottom } = chip.getBoundingClientRect()
          if (bottom <= box.top || top >= box.bottom) return ['not at all']
          return left >= box.left - 1 && top >= box.top - 1 && bottom <= box.bottom + 1 ? ['whole'] : ['cut']
        }),
      ),
    )
    expect(new Set(shown)).toEqual(new Set(['whole', 'not at all']))
  })
})

describe('on a phone', () => {
  it('the query has the width of the page, and the stream says that it can be live', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { viewport: { width: 390, height: 844 } })
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.fill('level:error service:checkout')
    expect((await query.boundingBox())?.width).toBeGreaterThan(250)
    await page.getByRole('button', { name: 'Live' }).getByText('Live').waitFor()
  })

  it('the bar on top is one line, however long the name of the project and the range are', async () => {
    const long = await openDashboard('a-shop-whose-name-is-longer-than-a-phone-is-wide')
    const range = 'from=2026-01-30T11:58:00Z&to=2026-01-31T12:00:00Z&environment=an-environment-of-the-far-north'
    const { page } = await long.visit(long.at(`logs?${range}`), { viewport: { width: 390, height: 844 } })
    const bar = page.getByRole('banner')
    const buttons = bar.getByRole('button')
    await bar.getByRole('button', { name: /^Time range: 30 Jan .* – 31 Jan / }).waitFor()
    const boxes = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    await long.leave()
    const seen = boxes.filter(({ width }) => width > 0)
    expect(seen).toHaveLength(4)
    expect(new Set(seen.map(({ top }) => top)).size).toBe(1)
    for (const [at, { left, right, width }] of seen.entries()) {
      expect(left).toBeGreaterThanOrEqual(seen[at - 1]?.right ?? 0)
      expect(right).toBeLessThanOrEqual(390)
      expect(width).toBeGreaterThanOrEqual(28)
    }
  })

  it('whatever is typed into is at least 16 px high, so that the page is not zoomed', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { viewport: { width: 390, height: 844 } })
    const small = () =>
      page.locator('input:visible, select:visible, textarea:visible').evaluateAll((controls) =>
        controls
          .filter((one) => !['checkbox', 'radio', 'range'].includes((one as { type?: string }).type ?? ''))
          .map((one) => ({
            name: one.getAttribute('aria-label') ?? one.id,
            px: Number.parseFloat(one.ownerDocument.defaultView?.getComputedStyle(one).fontSize ?? '0'),
          }))
          .filter(({ px }) => px < 16),
      )
    const paths = [
      'logs',
      'logs?view=patterns',
      'logs?view=groups',
      'analyses',
      'settings/project',
      'settings/redaction',
    ]
    for (const path of paths) {
      await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
      await loaded(page)
      await page.locator('input:visible, select:visible, textarea:visible').first().waitFor()
      expect(await small(), path).toEqual([])
    }
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    expect(await small(), 'the dialog of a view').toEqual([])
  })
})
