/** The patterns of the logs as a person meets them: what they say, what changed, and the way to their records. */

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
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually, isFocused, panelOf, parameterOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const SHA = 'c0ffee1d4e5f60718293a4b5c6d7e8f901234567'
const SERVED = 180
const CHANGED = 20
const HOSTILE = '<img src=x onerror=alert(1)> user\u202egnp.exe'
const NEW = 'payment <*> refused by provider'
const GONE = 'imported <*> rows from the old catalogue'

let dashboard: Dashboard
let deployMs: number

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('patterns-shop')
  const { origin, keys, service } = dashboard
  deployMs = Math.floor(Date.now() / 1_000) * 1_000 - 20 * MINUTE_MS
  const served = (fromMs: number) =>
    Array.from({ length: SERVED }, (_, index) =>
      recordAt(fromMs + index * 1_000, `request ${1_000 + index} served to customer`),
    )
  const changed = (fromMs: number, words: (index: number) => string, more = {}) =>
    Array.from({ length: CHANGED }, (_, index) => recordAt(fromMs + index * 5_000, words(index), more))
  const payments = { level: 'error', service: 'payments' }
  await send(origin, keys, [
    ...served(deployMs - 5 * MINUTE_MS),
    ...served(deployMs),
    ...changed(deployMs - 5 * MINUTE_MS, (index) => `imported ${900 + index} rows from the old catalogue`),
    ...changed(deployMs, (index) => `payment ${700 + index} refused by provider`, payments),
    recordAt(deployMs + MINUTE_MS, HOSTILE, { service: HOSTILE }),
    recordAt(deployMs + 2 * MINUTE_MS, 'late arrival', { environment: 'staging' }),
  ])
  await deployAt(origin, keys, deployMs, { sha: SHA })
  await settled(service)
})

afterEach(() => dashboard?.leave())

const iso = (ms: number) => new Date(ms).toISOString()
/** Production, ten minutes from the deploy on, so that the time before is the ten minutes before it. */
const range = () => ({ environment: 'production', from: iso(deployMs), to: iso(deployMs + 10 * MINUTE_MS) })
const logs = (more: Record<string, string> = {}) => dashboard.at(`logs?${new URLSearchParams({ ...range(), ...more })}`)
const visit = (more: Record<string, string> = {}, options: Parameters<Dashboard['visit']>[1] = {}) =>
  dashboard.visit(logs({ view: 'patterns', ...more }), options)

const patternsOf = (page: Page) => page.getByRole('list', { name: 'Patterns', exact: true }).getByRole('listitem')
const patternOf = (page: Page, text: string) => patternsOf(page).filter({ hasText: text })
const patternPanel = (page: Page) => page.getByRole('complementary', { name: 'Pattern', exact: true })
const sectionOf = (page: Page) => page.getByRole('region', { name: 'Patterns', exact: true })
const view = (page: Page, name: 'Stream' | 'Patterns') =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true })

/** Each as what its columns say. */
async function told(page: Page): Promise<string[]> {
  await patternsOf(page).first().waitFor()
  const texts = await patternsOf(page).allInnerTexts()
  return texts.map((text) => text.replace(/\s+/g, ' ').trim())
}

async function openPattern(page: Page, text: string): Promise<void> {
  await patternOf(page, text).getByRole('button').click()
  await patternPanel(page).waitFor()
}

describe('the view of patterns', () => {
  it('is beside the stream, by mouse and keyboard, and in the address', async () => {
    const { page, complaints } = await dashboard.visit(logs({ live: 'on' }))
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor()
    await view(page, 'Patterns').click()
    await patternsOf(page).first().waitFor()
    expect(parameterOf(page, 'view')).toBe('patterns')
    expect(parameterOf(page, 'live'), 'patterns are counted once').toBe(null)
    await page.getByRole('button', { name: 'Refresh' }).waitFor()
    await page.getByRole('region', { name: 'Records over time' }).waitFor()
    expect(await view(page, 'Patterns').getAttribute('aria-current')).toBe('page')
    await page.keyboard.press('p')
    await rowsOf(page).first().waitFor()
    expect(parameterOf(page, 'view')).toBe(null)
    await page.goBack()
    await patternsOf(page).first().waitFor()
    await view(page, 'Stream').focus()
    await page.keyboard.press('Enter')
    await rowsOf(page).first().waitFor()
    expect(await isFocused(view(page, 'Stream'))).toBe(true)
    expect(unexpected(complaints)).toEqual([])
  })

  it('counts every record and says what changed since the time before, new errors first', async () => {
    const { page, complaints } = await visit()
    const rows = await told(page)
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatch(/^New 20 before: 0 10 % .*payments payment <\*> refused by provider$/)
    expect(rows[1]).toMatch(/^Gone 0 before: 20 10 % → 0 % .*imported <\*> rows from the old catalogue$/)
    expect(rows[2]).toMatch(/^New 1 before: 0 /)
    expect(rows[3]).toMatch(/^Steady 180 before: 180 90 % → 90 % .*request <\*> served to customer$/)
    await sectionOf(page).getByRole('status').getByText('3 patterns in 201 records').waitFor()
    await sectionOf(page).getByText('2 new, 1 gone compared with the time before').waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('shows hostile text as text', async () => {
    const { page, complaints } = await visit({ query: 'onerror' })
    const row = patternOf(page, '<img src=x onerror=')
    await row.waitFor()
    expect(await row.textContent()).toContain('user⟨U+202E⟩gnp.exe')
    await openPattern(page, 'onerror')
    expect(await patternPanel(page).textContent()).not.toContain('\u202e')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(unexpected(complaints)).toEqual([])
  })

  it('that finds nothing says why and what to do', async () => {
    const { page } = await visit({ query: 'nonsense' })
    await page
      .getByText(/none matches the query|There are no records/)
      .first()
      .waitFor()
    await page.getByText(/^\d+ records are in this window, but none matches the query/).waitFor()
    await sectionOf(page).getByRole('button', { name: 'Clear the query' }).click()
    await patternsOf(page).first().waitFor()
  })

  it(
    'that fails can be tried again',
    async () => {
      const { page } = await visit({ query: 'nothing yet' })
      await page
        .getByText(/none matches the query|There are no records/)
        .first()
        .waitFor()
      await page.route(/\/logs\/patterns\?/, (route) =>
        route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'The disk is on fire.' } } }),
      )
      await sectionOf(page).getByRole('button', { name: 'Clear the query' }).click()
      await sectionOf(page).getByRole('alert').getByText('The disk is on fire.').waitFor()
      await page.unroute(/\/logs\/patterns\?/)
      await page.getByRole('button', { name: 'Retry' }).click()
      await patternsOf(page).first().waitFor()
    },
    MANY_PAGES_MS,
  )

  it('is counted again when somebody asks', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?from=-1h&environment=staging&view=patterns&compare=off'))
    await sectionOf(page).getByText('1 pattern in 1 record', { exact: true }).waitFor()
    const { origin, keys, service } = dashboard
    await send(origin, keys, [recordAt(Date.now(), 'late arrival', { environment: 'staging' })])
    await settled(service)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await sectionOf(page).getByText('1 pattern in 2 records', { exact: true }).waitFor()
  })
})

describe('a pattern', () => {
  it(
    'opens beside the rows, follows the keyboard, and is in the address',
    async () => {
      const { page } = await visit()
      await openPattern(page, NEW)
      const panel = patternPanel(page)
      const text = await panel.textContent()
      expect(text).toContain('20 of 201, 10 %')
      expect(text).toContain('None of 200')
      expect(text).toContain('payment 719 refused by provider')
      const opened = parameterOf(page, 'pattern')
      await page.reload()
      await panel.getByText('20 of 201').waitFor()
      await patternOf(page, NEW).getByRole('button').focus()
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await eventually(() => parameterOf(page, 'pattern')).not.toBe(opened)
      await panel.getByText('20 of 200, 10 %').waitFor()
      await panel.getByRole('button', { name: 'Open the record' }).click()
      await panelOf(page).getByText('imported 919 rows from the old catalogue').first().waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      expect(parameterOf(page, 'pattern')).toBe(null)
    },
    MANY_PAGES_MS,
  )

  it.each([
    ['new', NEW, /^payment \d+ refused by provider/],
    ['gone', GONE, /^imported \d+ rows from the old catalogue/],
  ])('that is %s leads to exactly its records', async (_, pattern, message) => {
    const { page } = await visit()
    await openPattern(page, pattern)
    await patternPanel(page).getByRole('button', { name: 'View 20 records' }).click()
    const stream = page.getByRole('region', { name: 'Stream', exact: true })
    await stream.getByRole('status').getByText('20 records').waitFor()
    const lines = rowsOf(page).filter({ hasNotText: 'deployed to' })
    await eventually(() => lines.count()).toBe(CHANGED)
    for (const text of await lines.locator('.cursor-pointer').allTextContents()) expect(text).toMatch(message)
    expect(parameterOf(page, 'environment')).toBe('production')
    await page.goBack()
    await patternPanel(page).getByRole('button', { name: 'View 20 records' }).waitFor()
  })

  it(
    'is left out of the query, one after the other',
    async () => {
      const { page } = await visit({ query: 'level:>=info' })
      await openPattern(page, 'served to customer')
      await patternPanel(page).getByRole('button', { name: 'Exclude' }).click()
      await sectionOf(page).getByText('2 patterns in 21 records').waitFor()
      await openPattern(page, NEW)
      await patternPanel(page).getByRole('button', { name: 'Exclude' }).click()
      await sectionOf(page).getByText('1 pattern in 1 record', { exact: true }).waitFor()
      expect(parameterOf(page, 'query')).toMatch(/^level:>=info -pattern:\([0-9a-f]{16} OR [0-9a-f]{16}\)$/)
    },
    MANY_PAGES_MS,
  )
})

describe('what patterns are compared with', () => {
  it(
    'is a deploy: after it against before it, in its environment, whatever the range',
    async () => {
      const { page, complaints } = await visit({ sort: 'count' })
      await patternsOf(page).first().waitFor()
      const choice = page.getByRole('combobox', { name: 'Compare with' })
      const option = choice.locator('option').filter({ hasText: 'c0ffee1' })
      await choice.selectOption((await option.getAttribute('value')) ?? '')
      await sectionOf(page)
        .getByText(/^2 new, 1 gone since c0ffee1 in production: .* compared with .*, 200 records$/)
        .waitFor()
      expect(parameterOf(page, 'compare')).toMatch(/^dep_/)
      const rows = await told(page)
      expect(rows.map((row) => row.replace(/ before.*/, ''))).toEqual(['Steady 180', 'New 20', 'New 1', 'Gone 0'])
      await page.reload()
      expect(await told(page)).toEqual(rows)
      await sectionOf(page).getByRole('link', { name: 'c0ffee1' }).click()
      await page.getByRole('heading', { level: 1, name: 'c0ffee1' }).waitFor()
      await page.getByRole('link', { name: 'Patterns since this deploy' }).click()
      expect((await told(page))[0]).toMatch(/^New 20 before: 0 /)
      // The range of the page is the time they are counted in, so both speak of the same records.
      expect(parameterOf(page, 'from')).toBe(iso(deployMs))
      await page.getByText(/^\d+ patterns in 201 records$/).waitFor()
      await page.getByRole('complementary', { name: 'Fields' }).getByText('201 records').waitFor()
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )

  it('is nothing, when that is chosen', async () => {
    const { page } = await visit()
    await patternsOf(page).first().waitFor()
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('off')
    await eventually(() => patternsOf(page).count()).toBe(3)
    expect((await told(page))[0]).toMatch(/^180 /)
    expect(parameterOf(page, 'compare')).toBe('off')
    await page.goBack()
    await eventually(() => patternsOf(page).count()).toBe(4)
  })

  it('is the time before again, where a deploy is not known', async () => {
    const { page } = await visit({ compare: 'dep_nothing' })
    await sectionOf(page).getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Compare with the time before' }).click()
    await eventually(() => patternsOf(page).count()).toBe(4)
  })
})

describe('a page of patterns', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await visit({}, { bypassCSP: true })
    await patternsOf(page).first().waitFor()
    await loaded(page)
    await lookAt(page, 'patterns', look, 390)
    await openPattern(page, NEW)
    await lookAt(page, 'one pattern', look, 390)
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
