/** The records of a search by the values of a field, and one trace across services, each with the way to the records. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Look, lookAt, SCHEMES } from '../../support/browser/browser.ts'
import {
  type Dashboard,
  loaded,
  MANY_PAGES_MS,
  openDashboard,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually, panelOf, parameterOf, rowOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('groups-shop')
  const { origin, keys, service } = dashboard
  const fromMs = Date.now() - 20 * MINUTE_MS
  // Half of them quick, nearly half slow, one very slow: average, p50, p95 and the highest are four different numbers.
  const served = [...Array(50).fill(10), ...Array(49).fill(400), 900]
  const ofTrace = (afterMs: number, message: string, more: Record<string, unknown>) =>
    recordAt(fromMs + 5 * MINUTE_MS + afterMs, message, { traceId: TRACE, ...more })
  await send(origin, keys, [
    ...served.map((durationMs, index) => recordAt(fromMs + index * 1_000, 'served', { attributes: { durationMs } })),
    ...Array.from({ length: 150 }, (_, index) =>
      recordAt(fromMs + index * 1_000, 'paid', { service: 'payments', attributes: { durationMs: 50 } }),
    ),
    ofTrace(0, 'checkout began', { service: 'front', spanId: 'aaaaaaaaaaaaaaa1' }),
    ofTrace(40, 'stock asked', { service: 'stock', spanId: 'bbbbbbbbbbbbbbb2' }),
    ofTrace(200, 'stock is locked', { service: 'stock', spanId: 'bbbbbbbbbbbbbbb2', level: 'error' }),
    ofTrace(250, 'checkout failed', { service: 'front', spanId: 'aaaaaaaaaaaaaaa1', level: 'error' }),
  ])
  await settled(service)
})

afterEach(() => dashboard?.leave())

const GROUPS = 'logs?view=groups&query=has:durationMs'
const traceLogs = `logs?view=trace&query=traceId:${TRACE}`

const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const groupsOf = (page: Page) => page.getByRole('list', { name: 'Groups', exact: true }).getByRole('listitem')
const inTrace = (page: Page) => page.getByRole('list', { name: 'Records of the trace' }).getByRole('listitem')
const laneOf = (page: Page, name: string) => regionOf(page, 'Waterfall').getByRole('button', { name })
/** Each row as what its columns say. Where it is called, no rows of another question are left. */
async function told(page: Page): Promise<string[]> {
  await groupsOf(page).first().waitFor()
  return (await groupsOf(page).allInnerTexts()).map((text) => text.split(/\s+/).join(' '))
}

describe('the groups of the logs', () => {
  it('rank the services by a percentile of a number, and lead to the records of one', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('logs?query=has:durationMs'))
    await rowsOf(page).first().waitFor()
    await page.keyboard.press('b')
    expect(await told(page)).toEqual(['payments 150 60 %', 'shop 100 40 %'])
    expect(parameterOf(page, 'view')).toBe('groups')
    await regionOf(page, 'Groups').getByRole('status').getByText('2 groups in 250 records').waitFor()
    await regionOf(page, 'Groups').getByRole('button', { name: 'Records', exact: true }).waitFor()
    await regionOf(page, 'Groups').getByText('Share', { exact: true }).waitFor()

    await page.getByRole('combobox', { name: 'Show' }).selectOption('p95')
    await page.getByText('Choose the field to measure').waitFor()
    await page.getByRole('combobox', { name: 'Measured field' }).click()
    await page.getByRole('option', { name: /^durationMs/ }).click()
    expect(await told(page)).toEqual(['shop 400 100', 'payments 50 150'])
    expect([parameterOf(page, 'measure'), parameterOf(page, 'of')]).toEqual(['p95', 'durationMs'])

    await groupsOf(page).getByRole('button', { name: 'shop', exact: true }).click()
    await rowOf(page, 'served').first().waitFor()
    expect(parameterOf(page, 'query')).toBe('has:durationMs service:shop')
    expect(parameterOf(page, 'view')).toBe(null)
    await regionOf(page, 'Stream').getByRole('status').getByText('100 records').waitFor()
    await rowOf(page, 'paid').first().waitFor({ state: 'detached' })
    await page.goBack()
    expect(await told(page)).toEqual(['shop 400 100', 'payments 50 150'])
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a trace', () => {
  it('is a lane for each span above its records, oldest first, across services', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('logs?query=level:error'))
    await rowOf(page, 'checkout failed').getByText('checkout failed').click()
    await panelOf(page).getByRole('button', { name: 'Show the trace' }).click()
    await inTrace(page).nth(3).waitFor()
    const lines = (await inTrace(page).allInnerTexts()).map((text) => text.split(/\s+/).slice(1).join(' '))
    expect(lines).toEqual([
      '+0 I front checkout began',
      '+40 ms I stock stock asked',
      '+200 ms E stock stock is locked',
      '+250 ms E front checkout failed',
    ])
    expect(parameterOf(page, 'view')).toBe('trace')
    await page.getByRole('status').getByText('4 records of 2 services in 250 ms').waitFor()

    await laneOf(page, 'front aaaaaaaa').waitFor()
    await laneOf(page, 'stock bbbbbbbb').click()
    await eventually(() => inTrace(page).count()).toBe(2)
    await inTrace(page).filter({ hasText: 'stock is locked' }).getByRole('button').click()
    await panelOf(page).getByText('stock is locked').first().waitFor()
    await laneOf(page, 'stock bbbbbbbb').click()
    await eventually(() => inTrace(page).count()).toBe(4)
    expect(unexpected(complaints)).toEqual([])
  })

  it('has a chart that ends now, in a range that goes on for what is still to come', async () => {
    const [from, to] = [-20, 40].map((minutes) => new Date(Date.now() + minutes * MINUTE_MS).toISOString())
    const { page, complaints } = await dashboard.visit(dashboard.at(`${traceLogs}&from=${from}&to=${to}`))
    await inTrace(page).nth(3).waitFor()
    const chart = regionOf(page, 'Records over time').locator('svg').first()
    await chart.locator('g > rect').first().waitFor()
    // They were logged a quarter of the way to now. Over the whole range that is a twelfth.
    const place = await chart.evaluate((svg) => {
      const bar = svg.querySelector('g > rect')
      return Number(bar?.getAttribute('x')) / svg.clientWidth
    })
    expect(place).toBeGreaterThan(0.12)
    await page.getByRole('button', { name: /^Time range: .* – now/ }).waitFor()
    expect(parameterOf(page, 'to')).toBe(to)
    expect(unexpected(complaints)).toEqual([])
  })

  it('names its lanes in full on a phone', async () => {
    const { page } = await dashboard.visit(dashboard.at(traceLogs), { viewport: { width: 390, height: 844 } })
    const names = regionOf(page, 'Waterfall').getByRole('list', { name: 'Lanes' }).locator('span.truncate')
    await names.nth(1).waitFor()
    const shown = await names.evaluateAll((all) =>
      all.map((one) => [one.textContent, one.scrollWidth > one.clientWidth]),
    )
    expect(shown).toEqual([
      ['front aaaaaaaa', false],
      ['stock bbbbbbbb', false],
    ])
  })

  it('is found by its id in the palette, whatever environment and range were chosen', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('logs?environment=staging&from=-1h&to=-50m'))
    await page.getByRole('region', { name: 'Stream' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill(TRACE)
    await page.getByRole('option', { name: `Records of trace ${TRACE}` }).click()
    await inTrace(page).nth(3).waitFor()
    expect(await inTrace(page).count()).toBe(4)
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('each view', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await dashboard.visit(dashboard.at(GROUPS), { bypassCSP: true })
    for (const path of [GROUPS, `${GROUPS}&measure=p95&of=durationMs`, traceLogs]) {
      await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
      await groupsOf(page).or(inTrace(page)).first().waitFor()
      await loaded(page)
      await lookAt(page, path, look, 390)
    }
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
