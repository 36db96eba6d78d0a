/** What is wrong now, as a person meets it: the page a project opens on, its numbers, and where each of them leads. */

import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Look, lookAt, SCHEMES } from '../../support/browser/browser.ts'
import {
  asked,
  type Dashboard,
  loaded,
  MANY_PAGES_MS,
  openDashboard,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { allWordsOf, eventually, parameterOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const SHA = 'c0ffee1234567890abcdef1234567890abcdef12'
const TITLE = '<img src=x onerror=alert(1)> is not a price'
const STACK = `RangeError: ${TITLE}\n    at priceOf (/app/src/price.ts:7:11)`
const WORDS = { good: 'Good', suspect: 'Suspect', bad: 'Bad', too_early: 'Too early' }
/** Every five minutes for most of a day, then nothing for two hours. */
const WORKER = Array.from({ length: 21 * 12 }, (_, at) => 23 * HOUR_MS - at * 5 * MINUTE_MS)
const SHOP = Array.from({ length: 48 }, (_, at) => (50 - at) * MINUTE_MS)
const FAILED = Array.from({ length: 12 }, (_, at) => (30 - at) * MINUTE_MS)
/** In the day before: half as many records that are no errors, and no errors. */
const BEFORE = Array.from({ length: (WORKER.length + SHOP.length) / 2 }, (_, at) => 30 * HOUR_MS + at * 1_000)

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('overview-shop')
  const { origin, keys, service, projectId } = dashboard
  const nowMs = Date.now()
  const error = { type: 'RangeError', message: TITLE, stack: STACK }
  const checkout = { service: 'checkout', level: 'error', error }
  await deployAt(origin, keys, nowMs - 31 * MINUTE_MS, { sha: SHA })
  await send(origin, keys, [
    ...BEFORE.map((ago) => recordAt(nowMs - ago, 'shown')),
    ...WORKER.map((ago) => recordAt(nowMs - ago, 'job done', { service: 'worker' })),
    ...SHOP.map((ago) => recordAt(nowMs - ago, 'shown')),
    ...FAILED.map((ago) => recordAt(nowMs - ago, 'checkout failed', checkout)),
  ])
  await settled(service)
  await analysed(service, projectId, (found) => errorsOf(found) === FAILED.length)
})

// A page that is left open goes on asking, and the next one would have to wait behind it.
afterEach(() => dashboard?.leave())

async function visit(path: string, options: Parameters<Dashboard['visit']>[1] = {}) {
  const visited = await dashboard.visit(path, options)
  await loaded(visited.page)
  return visited
}

const home = () => `/projects/${dashboard.projectId}`
const partOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowsOf = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')
const headline = (page: Page) => page.getByRole('main').locator('p[aria-live]')
const pathOf = (page: Page) => new URL(page.url()).pathname

/** The number of records that the logs page counts. */
async function countedInLogs(page: Page, records: number): Promise<void> {
  const words = `${records} record${records === 1 ? '' : 's'}`
  await partOf(page, 'Stream').getByText(words, { exact: true }).waitFor()
}

describe('the overview', () => {
  it(
    'is where a project opens, and says in one sentence and in numbers what is wrong',
    async () => {
      const { page, complaints } = await visit(`${home()}?environment=production`)
      expect(pathOf(page)).toBe(dashboard.at('overview'))
      expect(parameterOf(page, 'environment')).toBe('production')
      await headline(page).waitFor()
      expect(await headline(page).textContent()).toMatch(
        /^1 new analysis, (1 (bad|suspect) deploy, )?1 silent service\. Look first at .*is not a price in checkout\.$/,
      )
      await headline(page).getByRole('link', { name: TITLE }).waitFor()
      const levels = partOf(page, 'Levels')
      await levels.getByRole('link', { name: `Error ${FAILED.length} none before` }).waitFor()
      await levels.getByRole('link', { name: 'Fatal 0 none before' }).waitFor()
      await levels.getByRole('link', { name: `Info 300 up 100 % from ${BEFORE.length}` }).waitFor()
      const services = page.getByRole('table', { name: 'Services' })
      expect(await services.getByRole('rowheader').allTextContents()).toEqual(['checkout', 'worker', 'shop'])
      expect(await services.getByRole('row', { name: 'worker' }).getByRole('cell').allTextContents()).toEqual([
        '0',
        'no records before',
        '',
        String(WORKER.length),
        'no records before',
      ])
      expect(await allWordsOf(rowsOf(page, 'Silent services'))).toEqual([
        expect.stringMatching(/^workersilent for \d h.*productionsince .*, earlier pauses at most 20 min$/),
      ])
      expect(await page.locator('img[src="x"]').count()).toBe(0)
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )

  it(
    'leads from a number to the records it counts',
    async () => {
      const { page, complaints } = await visit(dashboard.at('overview'))
      const row = page.getByRole('table', { name: 'Services' }).getByRole('row', { name: 'checkout' })
      await row.getByRole('link', { name: String(FAILED.length), exact: true }).click()
      await eventually(() => parameterOf(page, 'query')).toBe('service:checkout level:>=error')
      expect(parameterOf(page, 'from')).toBe('-24h')
      await countedInLogs(page, FAILED.length)
      await page.goBack()
      await partOf(page, 'Levels').getByRole('link', { name: /^info/i }).click()
      await eventually(() => parameterOf(page, 'query')).toBe('level:info')
      await countedInLogs(page, WORKER.length + SHOP.length)
      await page.goBack()
      await rowsOf(page, 'Silent services').getByRole('link').click()
      await eventually(() => parameterOf(page, 'query')).toBe('service:worker')
      await partOf(page, 'Stream').getByText('job done').first().waitFor()
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )

  it(
    'leads to the analysis, to all of its state, and to the deploy with its verdict',
    async () => {
      const { page, complaints } = await visit(dashboard.at('overview'))
      const row = rowsOf(page, 'Analyses that need a look')
      expect(await row.textContent()).toMatch(
        /^New(Quiet)?.*is not a price.*errorcheckoutproductionbegan .*Likely caused by .*c0ffee1.*12 errors$/,
      )
      await row.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
      await page.goBack()
      await headline(page).getByRole('link', { name: '1 new analysis' }).click()
      await eventually(() => [pathOf(page), parameterOf(page, 'state'), parameterOf(page, 'from')]).toEqual([
        dashboard.at('analyses'),
        'new',
        '-24h',
      ])
      await rowsOf(page, 'Analyses').getByRole('link').getByText(TITLE).waitFor()
      await page.goBack()
      const deploy = rowsOf(page, 'Latest deploys')
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('/overview?') && response.ok()),
        page.getByRole('button', { name: 'Refresh' }).click(),
      ])
      const { verdict } = (await answer.json()).deploys[0] as { verdict: keyof typeof WORDS }
      await eventually(() => deploy.textContent()).toContain(`${WORDS[verdict]}c0ffee1production`)
      await deploy.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: 'c0ffee1' }).waitFor()
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )

  it.each([1440, 1240, 1024, 760, 390])('shows the name of each service at a width of %d', async (width) => {
    const { page } = await visit(dashboard.at('overview'), { viewport: { width, height: 900 } })
    const services = page.getByRole('table', { name: 'Services' })
    await services.waitFor()
    const cut = await services
      .getByRole('rowheader')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      )
    expect(cut).toEqual([])
    const box = await services.boundingBox()
    const around = await partOf(page, 'Services').boundingBox()
    expect(box?.width, 'no column is cut off').toBeLessThanOrEqual(around?.width ?? 0)
  })

  it('says of a time without records why it is empty, and of a new project what to run', async () => {
    const { page } = await visit(`${dashboard.at('overview')}?from=-40d&to=-39d`)
    await headline(page).getByText('No records in this time.').waitFor()
    const created = await asked(page, `${dashboard.origin}/api/projects`, { name: 'overview-shop-new' })
    await page.goto(`${dashboard.origin}/projects/${created.project.id}`)
    await page.getByText('No records yet').waitFor()
    await page.getByText('Waiting for the first record').waitFor()
    expect(pathOf(page)).toBe(`/projects/${created.project.id}/overview`)
    await send(dashboard.origin, created, [recordAt(Date.now() - MINUTE_MS, 'hello')])
    await page.getByText('No records yet').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^info 1$/i }).waitFor()
    await page.getByText('No records in the time just before to compare with').waitFor()
    expect(await headline(page).textContent()).toBe('Nothing new is wrong.')
  })
})

describe('the page', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await visit(dashboard.at('overview'), { bypassCSP: true })
    await headline(page).waitFor()
    await lookAt(page, 'overview', look, 390)
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
