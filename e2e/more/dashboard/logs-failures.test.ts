/** Results of the search before, while the next one takes long, fails or cannot be read. */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { deployBetweenRecords, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const API = '**/api/projects/**/logs**'

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('failing-shop')
  const { origin, keys, service } = dashboard
  await deployBetweenRecords(origin, keys)
  await send(origin, keys, [recordAt(Date.now() - 6 * MINUTE_MS, 'of a trace', { traceId: TRACE })])
  await settled(service)
})

afterEach(() => dashboard?.leave())

const problemOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'Below is what was read before.' })
/** How visible a row is, with everything around it. */
const opacityOf = (place: Locator) =>
  place.first().evaluate((element) => {
    let opacity = 1
    for (let at: typeof element.parentElement = element as never; at; at = at.parentElement)
      opacity *= Number(at.ownerDocument.defaultView?.getComputedStyle(at).opacity)
    return opacity
  })

const FAILURES = {
  'the service is away': (page: Page) => page.route(API, (route) => route.abort()),
  'something in between answers with a page of its own': (page: Page) =>
    page.route(API, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' })),
  'the search took too long': (page: Page) =>
    page.route(API, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Took too long.', fields: [] } } }),
    ),
}

describe('a search that takes long', () => {
  it.each([
    ['records', 'logs', 'after the deploy'],
    ['patterns', 'logs?view=patterns', 'after the deploy'],
    ['groups', 'logs?view=groups', 'shop'],
  ])('dims the %s of the search before it, and its count, until the answer is there', async (_, path, text) => {
    const { page } = await dashboard.visit(dashboard.at(path))
    const list = page.getByRole('region', { name: /^(Stream|Patterns|Groups)$/ }).getByText(text)
    await list.first().waitFor()
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(API, async (route) => {
      await mayAnswer
      await route.continue()
    })
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.fill('deploy service:shop')
    await query.press('Enter')
    await eventually(() => opacityOf(list)).toBeLessThan(1)
    answer()
    await eventually(() => opacityOf(list)).toBe(1)
  })

  it('shows no old values of fields next to a count of zero', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const fields = page.getByRole('complementary', { name: 'Fields' })
    await fields.getByText('shop', { exact: true }).waitFor()
    await page.route('**/logs/fields?**', () => {})
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.fill('unheardof')
    await query.press('Enter')
    await page.getByText('0 records').waitFor()
    await fields.getByText('No records match.').waitFor()
    expect(await fields.getByText('shop', { exact: true }).count()).toBe(0)
  })
})

describe('a query that cannot be read', () => {
  it('leaves the records of the last search, dimmed', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const record = page.getByText('after the deploy')
    await record.first().waitFor()
    await page.evaluate(`{
      const address = new URL(location.href)
      address.searchParams.set('query', 'foo:(')
      history.pushState(history.state, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }`)
    await page.getByRole('alert').getByText('The opening parenthesis at character 5 is not closed.').waitFor()
    await page.getByText('Below are the results of the last search.').waitFor()
    await eventually(() => opacityOf(record)).toBeLessThan(1)
    await page.getByRole('button', { name: 'Clear the query' }).last().click()
    await eventually(() => opacityOf(record)).toBe(1)
  })
})

describe('a search that fails', () => {
  it.each(Object.entries(FAILURES))('leaves the records that were read before, dimmed: %s', async (_, fail) => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const bars = page.getByRole('region', { name: 'Records over time' }).locator('svg rect')
    await page.getByText('after the deploy').first().waitFor()
    await bars.first().waitFor()
    const shown = await rowsOf(page).count()
    await fail(page)
    await page.getByRole('button', { name: 'Run' }).click()
    await problemOf(page).waitFor()
    expect(await rowsOf(page).count()).toBe(shown)
    await eventually(() => opacityOf(page.getByText('after the deploy'))).toBeLessThan(1)
    const alert = await problemOf(page).boundingBox()
    const first = await rowsOf(page).first().boundingBox()
    expect((alert?.y ?? 0) + (alert?.height ?? 0)).toBeLessThanOrEqual(first?.y ?? 0)
    expect(await bars.count()).toBeGreaterThan(0)
    expect(await page.getByText('Unexpected token').count()).toBe(0)
    await page.unrouteAll()
    await problemOf(page).getByRole('button', { name: 'Retry' }).click()
    await problemOf(page).waitFor({ state: 'detached' })
    await eventually(() => opacityOf(page.getByText('after the deploy'))).toBe(1)
  })

  it.each([
    ['patterns', 'logs?view=patterns', 'Patterns'],
    ['groups', 'logs?view=groups', 'Groups'],
    ['a trace', `logs?view=trace&query=traceId:${TRACE}`, 'Records of the trace'],
  ])('leaves %s that were read before', async (_, path, list) => {
    const { page } = await dashboard.visit(dashboard.at(path))
    const items = page.getByRole('list', { name: list, exact: true }).getByRole('listitem')
    await items.first().waitFor()
    const shown = await items.count()
    await FAILURES['the service is away'](page)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await problemOf(page).waitFor()
    expect(await items.count()).toBe(shown)
  })
})
