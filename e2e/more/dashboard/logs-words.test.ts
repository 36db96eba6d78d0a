/** What the logs page tells of bars, deploys, fields, patterns and traces, and of an address that it cannot follow. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { allWordsOf, eventually, parameterOf, rowsOf, wordsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'

const unavailable = needsBrowser()
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4799'
const SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('telling-shop')
  const { origin, keys, service, projectId } = dashboard
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const error = { type: 'CardError', message: 'declined', stack: 'CardError: declined\n    at pay (/app/pay.ts:3:1)' }
  await deployAt(origin, keys, nowMs - 30 * MINUTE_MS, { sha: SHA, message: 'Prices by currency' })
  await send(origin, keys, [
    ...Array.from({ length: 40 }, (_, at) => recordAt(nowMs - at * MINUTE_MS, 'served')),
    recordAt(nowMs - 70 * MINUTE_MS, 'served before'),
    recordAt(nowMs - 9 * MINUTE_MS, 'payment failed', { level: 'error', service: 'payments', error }),
    recordAt(nowMs - 10 * MINUTE_MS, 'began', { traceId: TRACE, spanId: 'aaaaaaaaaaaaaaaa', service: 'web' }),
    recordAt(nowMs - 10 * MINUTE_MS + 100, 'ended', {
      ...{ traceId: TRACE, spanId: 'bbbbbbbbbbbbbbbb', service: 'api' },
      attributes: { duration_ms: 60 },
    }),
  ])
  await analysed(service, projectId, (found) => errorsOf(found) === 1)
})

afterEach(() => dashboard?.leave())

const chartOf = (page: Page) => page.getByRole('region', { name: 'Records over time' })
const fieldsOf = (page: Page) => page.getByRole('complementary', { name: 'Fields' })

describe('the histogram', () => {
  it('tells of a bar from when until when it is, and all of its records', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await rowsOf(page).first().waitFor()
    await chartOf(page).locator('svg g rect').nth(5).hover({ force: true })
    const tip = chartOf(page).locator('.float')
    await tip.waitFor()
    expect(await wordsOf(tip)).toMatch(/^\d\d [A-Z][a-z]{2} \d\d:\d\d(:\d\d)? – \d\d:\d\d(:\d\d)?all1info1$/)
  })

  it('tells of a deploy what it says and its verdict', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await chartOf(page).locator('button[data-deploy]').hover()
    const tip = chartOf(page).getByRole('tooltip')
    await tip.getByText('Prices by currency').waitFor()
    await tip.getByText(/^(Good|Suspect|Bad|Too early)$/).waitFor()
  })

  it.each([1100, 390])('has its words above flags and bars, at a width of %d', async (width) => {
    const from = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 45 * MINUTE_MS)
    await deployAt(dashboard.origin, dashboard.keys, from.getTime() + 1_000, { sha: SHA, environment: 'staging' })
    const { page } = await dashboard.visit(dashboard.at(`logs?from=${from.toISOString()}&before=on`), {
      viewport: { width, height: 844 },
    })
    const label = chartOf(page).getByText(/^highest \d/)
    const flag = chartOf(page).locator('button[data-deploy]').first()
    await flag.waitFor()
    await chartOf(page).getByTestId('before').waitFor()
    expect(await wordsOf(label)).toMatch(/^highest \d+, dashed: the previous period$/)
    const [words, of] = await Promise.all([label.boundingBox(), flag.boundingBox()])
    const bottom = (words?.y ?? 0) + (words?.height ?? 0)
    expect(of?.x, 'the flag is below them').toBeLessThan((words?.x ?? 0) + (words?.width ?? 0))
    expect(of?.y).toBeGreaterThanOrEqual(bottom)
    const bars = await chartOf(page).locator('svg g rect').all()
    expect(bars.length).toBeGreaterThan(0)
    for (const bar of bars) expect((await bar.boundingBox())?.y).toBeGreaterThanOrEqual(bottom)
    expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(width)
  })

  it('has a line for each of several deploys under one flag', async () => {
    const agoMs = Date.now() - 600 * MINUTE_MS
    const seconds = [0, 200, 400, 600]
    for (const second of seconds) {
      await deployAt(dashboard.origin, dashboard.keys, agoMs + second * 1_000, { sha: SHA, environment: 'staging' })
    }
    const { page } = await dashboard.visit(dashboard.at('logs?from=-1d'))
    await chartOf(page).getByRole('button', { name: '4 deploys' }).waitFor()
    const paths = chartOf(page).getByTestId('deploy-lines')
    const drawn = (await paths.evaluateAll((all) => all.map((path) => path.getAttribute('d')))).join('')
    expect(drawn.match(/M/g)?.length).toBeGreaterThan(seconds.length)
  })
})

describe('a range that cannot be read', () => {
  it.each([
    ['from=foo', 'asks for records since foo, which is not a time'],
    ['from=-1h&to=bar', 'asks for records until bar, which is not a time'],
    ['from=-1h&to=-2h', 'the wrong way round'],
  ])('is told in plain words, asks for nothing, and leads to the last hour: %s', async (range, words) => {
    const { page, complaints } = await dashboard.visit('/projects')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${dashboard.origin}${dashboard.at(`logs?${range}`)}`)
    await page.getByText(words).waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((url) => url.includes('/api/') && url.includes('/logs'))).toEqual([])
    await page.getByRole('button', { name: 'Look at the last hour' }).click()
    await rowsOf(page).first().waitFor()
    expect([parameterOf(page, 'from'), parameterOf(page, 'to')]).toEqual([null, null])
    expect(complaints).toEqual([])
  })
})

describe('the fields', () => {
  it('say of each the share of records with it, and of one that the query names how to clear it', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=service:shop'))
    await fieldsOf(page).getByText('40 records').waitFor()
    await fieldsOf(page).getByTitle('Next to each field: the share of records that have it.').waitFor()
    const heads = await allWordsOf(fieldsOf(page).locator('summary'))
    expect(heads.length).toBeGreaterThan(3)
    for (const head of heads) expect(head).toMatch(/(\d %|^service)$/)
    const chosen = fieldsOf(page).getByRole('button', { pressed: true })
    expect(await allWordsOf(chosen)).toEqual(['shop40'])
    await chosen.locator('svg').waitFor()
    await fieldsOf(page).getByRole('button', { name: 'Clear service' }).click()
    await eventually(() => parameterOf(page, 'query')).toBe(null)
    await fieldsOf(page).getByText('43 records').waitFor()
    expect(await fieldsOf(page).getByRole('button', { pressed: true }).count()).toBe(0)
  })

  it('say that there is nothing to count where nothing matches, and the rows say why, once', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=nothinglikethis'))
    await page.getByText('none matches the query').waitFor()
    await fieldsOf(page).getByText('No records match.').waitFor()
    expect(await page.getByText('No records here').count()).toBe(0)
    expect(await page.getByText('none matches the query').count()).toBe(1)
  })
})

describe('a pattern of errors', () => {
  it.each([1100, 390])('names its type and service and leads to its analysis, at a width of %d', async (width) => {
    const { page } = await dashboard.visit(dashboard.at('logs?view=patterns'), { viewport: { width, height: 900 } })
    const row = page.getByRole('list', { name: 'Patterns' }).getByRole('listitem').filter({ hasText: 'payment failed' })
    await row.getByText('CardError').waitFor()
    await row.getByText('payments', { exact: true }).waitFor()
    await row.getByRole('img', { name: /^Trend/ }).waitFor()
    await row.getByRole('link', { name: 'Open its analysis' }).click()
    await page.waitForURL(/\/analyses\/ana_/)
  })
})

describe('a trace', () => {
  it('says when it began and the deploy before it, and shows what a record says it took as a bar', async () => {
    const { page } = await dashboard.visit(dashboard.at(`logs?view=trace&query=traceId:${TRACE}`))
    const before = page.getByRole('region', { name: 'Beginning of the trace' })
    await before.getByRole('link', { name: SHA.slice(0, 7) }).waitFor()
    expect(await wordsOf(before)).toMatch(
      /^web began this trace on \d\d [A-Z][a-z]{2} \d\d:\d\d:00\.000, 20 min after a1b2c3d was deployed to production · main · by ada$/,
    )
    const lanes = page.getByRole('list', { name: 'Lanes' })
    await page.getByText('Service and span, bars end when logged', { exact: true }).waitFor()
    const records = page.getByRole('list', { name: 'Records of the trace' }).getByRole('listitem')
    expect((await allWordsOf(records)).map((words) => words.replace(/^\d\d:\d\d/, ''))).toEqual([
      ':00.000+0Iwebbegan',
      ':00.100+100 msIapiended',
    ])
    await eventually(async () => (await allWordsOf(lanes.getByRole('listitem'))).join(' ')).toContain('60 ms')
    const [bar, lane] = await Promise.all([
      lanes.locator('[data-took]').boundingBox(),
      lanes.locator('[data-took]').locator('..').boundingBox(),
    ])
    expect((bar?.width ?? 0) / (lane?.width ?? 1)).toBeCloseTo(0.6, 1)
  })
})
