/** Whether a deploy did harm, as a person meets it: one that did, the one that ended it, one too young, one that failed. */

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
import { allWordsOf, wordsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
const TITLE = 'TypeError: price is undefined'
const STACK = `${TITLE}
    at priceOf (/app/src/price.ts:6:11)
    at checkout (/app/src/checkout.ts:40:9)`
/** Minutes before now. */
const BAD_AT = 100
const CURED_AT = 40
/** One a minute, until the last before it is cured. */
const ERRORS = BAD_AT - CURED_AT - 1
const SHAS = { first: 'f1a57f1a57', bad: 'bad5a1ebad', cure: 'c07edc07ed', failed: 'fa11edfa11', young: '10ffed10ff' }

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('deploys-shop')
  // Deploys are told to the second.
  await breakAndCure(Math.floor(Date.now() / 1_000) * 1_000)
})

afterEach(() => dashboard?.leave())

/** Four records a minute all the time; errors between two deploys; a message that the first of them ends. */
async function breakAndCure(nowMs: number): Promise<void> {
  const { origin, keys, service, projectId } = dashboard
  const ago = (minutes: number) => nowMs - minutes * MINUTE_MS
  const minutes = (from: number, to: number, step = 1) =>
    Array.from({ length: Math.floor((from - to) / step) }, (_, at) => from - at * step)
  await deployAt(origin, keys, ago(220), { sha: SHAS.first })
  await deployAt(origin, keys, ago(BAD_AT + 10), { sha: SHAS.failed, status: 'failed' })
  await deployAt(origin, keys, ago(BAD_AT), { sha: SHAS.bad, message: 'Prices by currency' })
  await deployAt(origin, keys, ago(CURED_AT), { sha: SHAS.cure, message: 'Prices again' })
  // Nothing is logged there: it can be told after a day, however fast this is.
  await deployAt(origin, keys, ago(2), { sha: SHAS.young, environment: 'canary' })
  const running = (at: number) => (at > BAD_AT ? SHAS.first : at > CURED_AT ? SHAS.bad : SHAS.cure)
  const error = { type: 'TypeError', message: 'price is undefined', stack: STACK }
  await send(origin, keys, [
    ...minutes(260, 0, 0.25).map((at) =>
      recordAt(ago(at), 'GET /cart 200', { service: 'checkout', release: running(at) }),
    ),
    ...minutes(BAD_AT + 60, BAD_AT).map((at) => recordAt(ago(at) + 500, 'prices were read from the old table')),
    ...minutes(BAD_AT - 1, BAD_AT - 1 - ERRORS).map((at) =>
      recordAt(ago(at), 'checkout failed', { level: 'error', service: 'checkout', error, release: SHAS.bad }),
    ),
  ])
  await analysed(service, projectId, (found) => errorsOf(found) === ERRORS)
  await settled(service)
}

const visit = (path: string, options: Parameters<Dashboard['visit']>[1] = {}) =>
  dashboard.visit(dashboard.at(path), options)
const rowOf = (page: Page, sha: string) =>
  page
    .getByRole('list', { name: 'Deploys' })
    .getByRole('listitem')
    .filter({ hasText: sha.slice(0, 7) })
const partOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The page of a deploy, by the list: that is the only way to its address. */
async function openDeploy(sha: string, options: Parameters<Dashboard['visit']>[1] = {}) {
  const visited = await visit('deploys', options)
  await rowOf(visited.page, sha).getByRole('link').click()
  await partOf(visited.page, 'Verdict').waitFor()
  return visited
}

describe('the list of deploys', () => {
  it('says of each whether it did harm, why, and what it brought', async () => {
    const { page, complaints } = await visit('deploys')
    await rowOf(page, SHAS.bad).waitFor()
    const text = (sha: string) => wordsOf(rowOf(page, sha))
    const bad = await text(SHAS.bad)
    expect(bad).toMatch(/^Bad/)
    expect(bad).toContain(`Errors rose: ${ERRORS} of`)
    expect(bad).toContain(`0 → ${ERRORS} errors an hour`)
    expect(bad).toContain('1 new analysis')
    const cure = await text(SHAS.cure)
    expect(cure).toMatch(/^Good/)
    expect(cure).toContain(`${ERRORS} → 0 errors an hour`)
    expect(cure).not.toContain('new analysis')
    const young = await text(SHAS.young)
    expect(young).toMatch(/^Too early/)
    expect(young).toContain('Verdict expected in 23 h')
    const failed = await text(SHAS.failed)
    expect(failed).toMatch(/^Failed/)
    expect(failed).not.toMatch(/\d errors?/)
    await page.getByLabel('Status').selectOption('failed')
    await rowOf(page, SHAS.bad).waitFor({ state: 'detached' })
    await rowOf(page, SHAS.failed).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('asks nothing but the list for that', async () => {
    const { page } = await visit('account')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().slice(dashboard.origin.length)))
    await page.goto(`${dashboard.origin}${dashboard.at('deploys')}`)
    await rowOf(page, SHAS.bad).waitFor()
    const asking = (page: string) =>
      asked.filter((path) => path.startsWith('/api/') && path.split('?')[0]?.endsWith(page))
    expect(asking('/analyses')).toEqual([])
    // A busy service may ask to come back later: then the same is asked again.
    expect(new Set(asking('/deploys')).size).toBe(1)
  })
})

describe('a deploy that did harm', () => {
  it('says so in a sentence, with its reasons and the numbers before and after', async () => {
    const { page, complaints } = await openDeploy(SHAS.bad)
    const verdict = partOf(page, 'Verdict')
    await verdict.getByText('This deploy very likely did harm.').waitFor()
    const reasons = verdict.getByRole('list', { name: 'Reasons' }).getByRole('listitem')
    const told = await allWordsOf(reasons)
    expect(told[0]).toContain(`Errors rose: ${ERRORS} of`)
    expect(told[1]).toContain(`${TITLE} in checkout began 1 min after it, ${ERRORS} errors`)
    const rows = partOf(page, 'Before and after').getByRole('row')
    expect(await rows.count()).toBe(4)
    const hour = await wordsOf(rows.nth(3))
    expect(hour).toMatch(/^1 h/)
    expect(hour).toContain(`Errors0→ before, after it ${ERRORS}`)
    expect(hour).toContain('No errors before')
    const introduced = partOf(page, 'Introduced analyses')
    const line = await wordsOf(introduced.getByRole('listitem'))
    expect(line).toContain(TITLE)
    expect(line).toContain('checkout')
    expect(line).toContain('Began 1 min after it')
    expect(line).toContain(`${ERRORS} errors`)
    expect(line).toContain('Likely caused by this deploy')
    await partOf(page, 'Commits').getByText('No repository is connected').waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it(
    'leads to the analysis, and to the records that are new and those that are gone',
    async () => {
      const { page, complaints } = await openDeploy(SHAS.bad)
      await partOf(page, 'New patterns')
        .getByRole('link', { name: /checkout failed/ })
        .click()
      await page.waitForURL(/logs\?.*query=/)
      await page.getByRole('list', { name: 'Records' }).getByText('checkout failed').first().waitFor()
      expect(new URL(page.url()).searchParams.get('environment')).toBe('production')
      await page.goBack()
      await partOf(page, 'Gone patterns')
        .getByRole('link', { name: /prices were read from the old table/ })
        .click()
      await page.waitForURL(/logs\?.*query=/)
      await page
        .getByRole('list', { name: 'Records' })
        .getByText('prices were read from the old table')
        .first()
        .waitFor()
      await page.goBack()
      await partOf(page, 'Introduced analyses').getByText(TITLE).click()
      await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )
})

describe('the deploy that ended it', () => {
  it('is good, and lists what ended', async () => {
    const { page, complaints } = await openDeploy(SHAS.cure)
    const verdict = partOf(page, 'Verdict')
    await verdict.getByText('This deploy looks good.').waitFor()
    await partOf(page, 'Introduced analyses').getByText('No analysis began with this deploy.').waitFor()
    const ended = await wordsOf(partOf(page, 'Ended analyses').getByRole('listitem'))
    expect(ended).toContain(TITLE)
    expect(ended).toMatch(/Last error \d+ min.* before it/)
    expect(ended).not.toContain('deploy')
    expect(await partOf(page, 'Before and after').getByRole('row').nth(3).textContent()).toContain('so far')
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a deploy that cannot be judged', () => {
  it('says when it can be, and asks again then', async () => {
    const { page } = await openDeploy(SHAS.young)
    const verdict = partOf(page, 'Verdict')
    await verdict.getByText('It is too early to tell.').waitFor()
    expect(await wordsOf(verdict)).toMatch(/Verdict expected in 23 h, \d{4}-\d{2}-\d{2}/)
    await page.clock.install()
    await page.reload()
    await verdict.getByText('It is too early to tell.').waitFor()
    const again = page.waitForRequest(/\/api\/projects\/[^/]+\/deploys\/dep_/)
    await page.clock.fastForward(25 * 60 * MINUTE_MS)
    await again
  })

  it('leads to the logs since then, which begin some minutes before it', async () => {
    const { page, complaints } = await openDeploy(SHAS.bad)
    await page.getByRole('link', { name: 'Logs since this deploy' }).click()
    const records = page.getByRole('list', { name: 'Records', exact: true }).getByRole('listitem')
    await records.getByText(SHAS.bad.slice(0, 7)).first().waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('order')).toBe('oldest')
    expect(searchParams.get('from')).toMatch(/:\d\d/)
    expect(unexpected(complaints)).toEqual([])
  })

  it('says that it failed, and shows neither analyses nor numbers', async () => {
    const { page, complaints } = await openDeploy(SHAS.failed)
    const verdict = partOf(page, 'Verdict')
    await verdict.getByText('This deploy failed and never went live').waitFor()
    expect(await verdict.textContent()).toContain('no errors are attributed to it')
    expect(await partOf(page, 'Before and after').count()).toBe(0)
    expect(await partOf(page, 'Introduced analyses').count()).toBe(0)
    await page.getByRole('link', { name: 'Logs since this deploy' }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('says that the log store did not answer, and shows no numbers', async () => {
    const { page } = await visit('account')
    const message = 'The log store did not answer: try again in a moment.'
    const unread = { windows: [], before: null, after: null, newPatterns: [], gonePatterns: [] }
    let isAway = true
    await page.route(/\/api\/projects\/[^/]+\/deploys\/dep_/, async (route) => {
      const answer = await route.fetch()
      if (!isAway) return route.fulfill({ response: answer })
      await route.fulfill({ json: { ...(await answer.json()), ...unread, warnings: [{ message }] } })
    })
    await page.goto(`${dashboard.origin}${dashboard.at('deploys')}`)
    await rowOf(page, SHAS.cure).getByRole('link').click()
    await page.getByRole('status').getByText(message).waitFor()
    for (const name of ['Before and after', 'New patterns']) expect(await partOf(page, name).count()).toBe(0)
    isAway = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await partOf(page, 'Before and after').waitFor()
    expect(await page.getByText(message).count()).toBe(0)
  })
})

describe('the pages of deploys', () => {
  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await visit('deploys', { bypassCSP: true })
    await rowOf(page, SHAS.bad).waitFor()
    await lookAt(page, 'deploys', look, 390)
    await rowOf(page, SHAS.bad).getByRole('link').click()
    await partOf(page, 'Verdict').waitFor()
    await loaded(page)
    await lookAt(page, 'a bad deploy', look, 390)
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('have nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('are no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('end where their content does', () => expect(look.tooLong).toEqual([]))
})
