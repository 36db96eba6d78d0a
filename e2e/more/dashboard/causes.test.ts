/** Why something broke, as a person meets it: a repository, a deploy that broke the cart, and the rollback that ended it. */

import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createSource } from '../../../packages/server/src/repository/testing/source-repository.ts'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { until } from '../../../scripts/until.mjs'
import { type Look, lookAt, openPage, PATIENCE_MS, SCHEMES } from '../../support/browser/browser.ts'
import {
  asked,
  type Dashboard,
  loaded,
  MANY_PAGES_MS,
  openDashboard,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'
import { temporaryFolder } from '../../support/service/processes.ts'

const unavailable = needsBrowser()
const FILE = 'src/cart/totals.ts'
/** Whoever can commit writes it. */
const GUILTY = '<img src=x onerror=alert(1)> Round totals once'
const STACK = `TypeError: total is not a number
    at totalOf (/app/${FILE}:3:17)
    at checkout (/app/src/checkout.ts:8:9)`

let dashboard: Dashboard
let shas: { good: string; bad: string }

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('causes-shop')
  const nowMs = Date.now()
  shas = await connectRepository(nowMs)
  await breakAndRollBack(nowMs)
})

afterEach(() => dashboard?.leave())

/** One commit before the errors, and two that are deployed together: one of them is to blame. */
async function connectRepository(nowMs: number): Promise<typeof shas> {
  const source = createSource(temporaryFolder())
  const commit = (atMs: number, message: string, file: string, text: string) =>
    source.commit({ message, files: { [file]: text }, committedAt: Math.floor(atMs / 1_000) })
  const good = commit(nowMs - 180 * MINUTE_MS, 'Begin', FILE, 'export const totalOf = (cart) =>\n\n  sum(cart)\n')
  commit(nowMs - 60 * MINUTE_MS, GUILTY, FILE, 'export const totalOf = (cart) =>\n\n  round(sum(cart))\n')
  const bad = commit(nowMs - 50 * MINUTE_MS, 'Say what it is', 'README.md', 'A shop.\n')
  const { origin, projectId, owner } = dashboard
  const { page } = await openPage(origin, { storageState: owner })
  const url = `${origin}/api/projects/${projectId}/repository`
  await asked(page, url, { url: source.path }, 'PUT')
  const isReady = async () => (await asked(page, url, undefined, 'GET')).repository?.state === 'ready'
  await until('the repository was never ready', isReady, PATIENCE_MS)
  await page.context().close()
  return { good, bad }
}

/** Errors of one customer from two minutes after the deploy until the rollback, among records of many customers. */
async function breakAndRollBack(nowMs: number): Promise<void> {
  const { origin, keys } = dashboard
  const ago = (minutes: number) => nowMs - minutes * MINUTE_MS
  await deployAt(origin, keys, ago(120), { sha: shas.good })
  await deployAt(origin, keys, ago(40), { sha: shas.bad })
  await deployAt(origin, keys, ago(20), { sha: shas.good })
  const error = { type: 'TypeError', message: 'total is not a number', stack: STACK }
  await send(origin, keys, [
    ...Array.from({ length: 90 }, (_, at) =>
      recordAt(ago(60) + at * 40_000, 'cart shown', { tenant: `customer-${at % 9}` }),
    ),
    ...Array.from({ length: 32 }, (_, at) =>
      recordAt(ago(38) + at * 33_000, 'checkout failed', { level: 'error', error, tenant: 'northwind' }),
    ),
  ])
  await analysed(dashboard.service, dashboard.projectId, (found) => errorsOf(found) === 32)
}

const visit = (path: string, options: Parameters<Dashboard['visit']>[1] = {}) =>
  dashboard.visit(dashboard.at(path), options)
const partOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowOf = (page: Page) => page.getByRole('list', { name: 'Analyses' }).getByRole('listitem')

async function openAnalysis(page: Page): Promise<void> {
  await rowOf(page).getByRole('link').click()
  await partOf(page, 'Likely cause').waitFor()
}

describe('what caused an analysis', () => {
  it('is told in its row and first on its page, with the commit to blame and what speaks for it', async () => {
    const { page, complaints } = await visit('analyses')
    await rowOf(page).waitFor()
    const row = await rowOf(page).textContent()
    expect(row).toContain(`Deploy of ${shas.bad.slice(0, 7)} to production`)
    expect(row).toContain('confidence')
    expect(row).toContain('Quiet')
    await openAnalysis(page)
    await page.getByText('Quiet', { exact: true }).waitFor()
    const cause = partOf(page, 'Likely cause')
    const text = await cause.textContent()
    expect(text).toContain(GUILTY)
    expect(text).toContain('Ada')
    expect(text).toContain(`${FILE}:3`)
    expect(await cause.getByRole('list', { name: 'For', exact: true }).getByRole('listitem').count()).toBeGreaterThan(0)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    const suspects = partOf(page, 'Suspect commits').getByRole('listitem')
    expect(await suspects.first().textContent()).toContain(GUILTY)
    const deploy = cause.getByRole('region', { name: 'Correlated deploy', exact: true })
    expect(await deploy.textContent()).toContain(shas.bad.slice(0, 7))
    expect(await cause.getByRole('list', { name: 'For', exact: true }).count(), 'told once').toBe(1)
    const commits = cause.getByRole('list', { name: 'Commits it brought' })
    expect(await commits.isVisible()).toBe(false)
    await cause
      .locator('summary')
      .filter({ hasText: /2 commits/ })
      .click()
    await commits.getByText('Say what it is').waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it.each([1440, 1024, 390])(
    'shows its confidence, and the file and line it blames, in lists %d px wide',
    async (width) => {
      const { page } = await visit('analyses', { viewport: { width, height: 900 } })
      const confidence = rowOf(page).getByText(/^(High|Medium|Low) confidence$/)
      await confidence.waitFor()
      const clamped = await rowOf(page)
        .locator('span[class*="line-clamp"]')
        .filter({ hasText: 'confidence' })
        .boundingBox()
      const box = await confidence.boundingBox()
      expect(box?.y).toBeCloseTo(clamped?.y ?? 0, -1)
      await page.goto(`${dashboard.origin}${dashboard.at('deploys')}`)
      const evidence = page.getByRole('list', { name: 'Deploys' }).getByText(FILE)
      expect(await evidence.textContent()).toContain(`changes line 3 of ${FILE}`)
      expect(await evidence.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2)
    },
  )

  it(
    'leads on: to the errors that have what stands out, and to the rollback that ended it',
    async () => {
      const { page, complaints } = await visit('analyses')
      await openAnalysis(page)
      const course = partOf(page, 'Occurrences')
      const told = await course.textContent()
      expect(told).toMatch(/Began.*Ended.*ended with the rollback to/)
      const rollback = await course.getByRole('link', { name: /^Open the rollback to/ }).getAttribute('href')
      const standout = partOf(page, 'What stands out').getByRole('link', { name: /tenant=northwind/ })
      expect(await standout.textContent()).toContain('100 %')
      await standout.click()
      await page.waitForURL(/logs\?.*tenant/)
      await page.getByText('checkout failed').first().waitFor()
      await page.goto(`${dashboard.origin}${rollback}`)
      await page.getByRole('heading', { level: 1, name: shas.good.slice(0, 7) }).waitFor()
      await page.getByText('Rollback', { exact: true }).waitFor()
      const commits = partOf(page, 'Commits')
      await commits.getByRole('heading', { name: 'Commits it took back' }).waitFor()
      // Each with the list of its files.
      const withFiles = commits.getByRole('listitem').filter({ has: page.getByRole('list') })
      expect(await withFiles.count()).toBe(2)
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )
})

describe('a page that tells causes', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await visit('analyses', { bypassCSP: true })
    await openAnalysis(page)
    await lookAt(page, 'analysis', look, 390)
    await partOf(page, 'Correlated deploy').getByRole('link', { name: 'Open the deploy' }).click()
    await partOf(page, 'Commits').waitFor()
    await partOf(page, 'Introduced analyses').getByText('Likely caused by this deploy').waitFor()
    await loaded(page)
    await lookAt(page, 'deploy', look, 390)
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
