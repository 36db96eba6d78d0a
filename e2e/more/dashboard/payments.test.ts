/** An analysis of records that name their users, among more deploys than a chart has room for. */

import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Dashboard, openDashboard, unexpected } from '../../support/browser/dashboard-owner.ts'
import { deployAt, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'

const unavailable = needsBrowser()
const TRACE = '4bf92f3577b34da6a3ce929d0e0e47'

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('payments-shop')
  const { origin, keys, service, projectId } = dashboard
  const nowMs = Date.now()
  for (let at = 0; at < 40; at++) {
    const sha = `${at}`.padStart(7, 'a')
    await deployAt(origin, keys, nowMs - (at < 6 ? at * 20 * MINUTE_MS : at * 4 * HOUR_MS) - 2 * MINUTE_MS, { sha })
  }
  await send(
    origin,
    keys,
    Array.from({ length: 36 }, (_, at) =>
      recordAt(nowMs - 36 * MINUTE_MS + at * MINUTE_MS, `the issuer declined the card: card ending in ${4200 + at}`, {
        level: 'error',
        'user.id': `u_${at % 12}`,
        'customer.id': `u_${at % 12}`,
        'http.route': at % 2 === 0 ? '/api/pay' : '/api/checkout',
        traceId: `${TRACE}${String(at).padStart(2, '0')}`,
      }),
    ),
  )
  const colours = ['blue', 'green', 'red', 'black', 'white']
  await send(origin, keys, [
    ...colours.map((colour, at) => recordAt(nowMs - at * MINUTE_MS, `no stock of ${colour} socks`, { level: 'error' })),
    recordAt(nowMs - MINUTE_MS, 'no stockist is known', { level: 'error' }),
  ])
  await analysed(service, projectId, (found) => errorsOf(found) === 36 + colours.length + 1)
})

afterEach(() => dashboard?.leave())

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Analyses' }).getByRole('listitem')

describe('an analysis of records that name their users', () => {
  it('says how many it reached, and tells its samples apart', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('analyses'))
    await rowsOf(page).filter({ hasText: 'the issuer declined' }).getByRole('link').click()
    const affected = page.getByRole('region', { name: 'Affected', exact: true })
    await affected.getByText('12 users affected').waitFor()
    await affected.getByText('user.id', { exact: true }).waitFor()
    const sample = page.getByRole('list', { name: 'Samples' }).getByRole('listitem').first()
    expect(await sample.textContent()).toContain('card ending in 4235')
    const chip = sample.getByRole('link', { name: `traceId=${TRACE}35` })
    expect(await chip.locator('[aria-hidden]').textContent()).toBe('traceId=4bf92f35')
    expect(await sample.textContent()).not.toContain('customer.id')
    await page.setViewportSize({ width: 390, height: 844 })
    await sample.getByText('shop', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await chip.click()
    await page.waitForURL((url) => url.pathname.endsWith('/logs') && url.searchParams.get('view') === 'trace')
    expect(new URL(page.url()).searchParams.get('query')).toBe(`traceId:${TRACE}35`)
    expect(unexpected(complaints)).toEqual([])
  })

  it('has no flag of a deploy that covers another, however long the chart is', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('analyses'))
    await rowsOf(page).filter({ hasText: 'the issuer declined' }).getByRole('link').click()
    const chart = page.getByRole('region', { name: 'Occurrences', exact: true })
    await chart.waitFor()
    for (const range of ['7d', '24h', 'start']) {
      await chart.getByLabel('Time range of the chart').selectOption(range)
      await chart.locator('[aria-busy=false]').waitFor()
      const flags = chart.getByRole('link', { name: /^(Deploy|\d+ deploys)/ })
      await flags.first().waitFor()
      const boxes = (await Promise.all((await flags.all()).map((flag) => flag.boundingBox()))).flatMap(
        (box) => box ?? [],
      )
      const sorted = boxes.toSorted((one, other) => one.x - other.x)
      const covered = sorted.filter((box, at) => at > 0 && sorted[at - 1]!.x + sorted[at - 1]!.width > box.x)
      expect(covered, range).toEqual([])
      expect(await flags.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0)
    }
    await chart.getByLabel('Time range of the chart').selectOption('7d')
    await chart.getByRole('link', { name: 'and 5 other deploys' }).getByText('+5').waitFor()
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a flood of messages without a type', () => {
  it('is offered to be ignored from several of them, by what all of these have in common', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('analyses'), { storageState: dashboard.owner })
    const ignoreLike = page.getByRole('toolbar').getByRole('button', { name: 'Ignore all like these' })
    const dialog = page.getByRole('dialog', { name: 'Ignore all like these' })
    for (const colour of ['blue', 'red']) await rowsOf(page).filter({ hasText: colour }).getByRole('checkbox').check()
    await ignoreLike.click()
    await dialog.getByLabel('Errors of shop that begin with “no stock of”').waitFor()
    expect(await dialog.getByRole('radio').count()).toBe(2)
    await dialog.getByText('It would ignore 5 analyses with 5 errors so far.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await rowsOf(page).filter({ hasText: 'the issuer declined' }).getByRole('checkbox').check()
    await ignoreLike.click()
    await dialog.getByLabel('Every error of shop').waitFor()
    expect(await dialog.getByRole('radio').count()).toBe(1)
    expect(unexpected(complaints)).toEqual([])
  })

  it('is as it was after Undo, from several of them and from one', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('analyses'), { storageState: dashboard.owner })
    const dialog = page.getByRole('dialog')
    const toast = (text: string) => page.getByRole('status').filter({ hasText: text })
    await rowsOf(page).filter({ hasText: 'white' }).getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Resolve' }).click()
    await rowsOf(page).filter({ hasText: 'white' }).waitFor({ state: 'detached' })

    for (const colour of ['blue', 'red']) await rowsOf(page).filter({ hasText: colour }).getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Ignore all like these' }).click()
    await dialog.getByRole('button', { name: 'Ignore all' }).click()
    await expect.poll(() => rowsOf(page).count()).toBe(2)
    await toast('Ignored 5 analyses. New ones like them start ignored.').getByRole('button', { name: 'Undo' }).click()
    await toast('Undone').waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(6)

    await page.goto(`${dashboard.origin}${dashboard.at('analyses?state=resolved')}`)
    await rowsOf(page).filter({ hasText: 'no stock of white' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Merge, split or ignore' }).click()
    await page.getByRole('menuitem', { name: 'Ignore all like this' }).click()
    await dialog.getByRole('button', { name: 'Ignore all' }).click()
    await page.getByRole('main').getByText('Ignored', { exact: true }).first().waitFor()
    await toast('Ignored 1 analysis. New ones like it start ignored.').getByRole('button', { name: 'Undo' }).click()
    await toast('Undone').waitFor()
    await page.getByRole('main').getByText('Resolved', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Resolve' }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('is ignored by the words that they share, and nothing else with it', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('analyses'))
    await rowsOf(page).filter({ hasText: 'no stock of blue' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Merge, split or ignore' }).click()
    await page.getByRole('menuitem', { name: 'Ignore all like this' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It would ignore 1 analysis with 1 error so far.').waitFor()
    await dialog.getByLabel('Errors of shop that begin with “no stock of”').check()
    await dialog.getByText('It would ignore 5 analyses with 5 errors so far.').waitFor()
    await dialog.getByRole('button', { name: 'Ignore all' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: '← All analyses' }).click()
    await expect.poll(() => rowsOf(page).count(), { timeout: 20_000 }).toBe(2)
    await rowsOf(page).filter({ hasText: 'no stockist is known' }).waitFor()
    await rowsOf(page).filter({ hasText: 'the issuer declined' }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('is ignored by its words under Settings too, where the rule stands in a sentence', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('settings/grouping'), {
      storageState: dashboard.owner,
    })
    await page.getByLabel('Which errors').selectOption('Whose title begins with certain words')
    expect(await page.getByLabel('Type of the exception').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Title begins with' }).fill('no stockist')
    await page.getByRole('button', { name: 'Add rule' }).click()
    const service = page.getByLabel('Service', { exact: true })
    expect(await service.evaluate((select) => select.matches(':invalid'))).toBe(true)
    await service.selectOption('shop')
    await page.getByRole('button', { name: 'Add rule' }).click()
    const told = 'Errors of shop whose title begins with “no stockist” are ignored.'
    await page.getByRole('row').filter({ hasText: told }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Title begins with' }).inputValue()).toBe('')
    expect(unexpected(complaints)).toEqual([])
  })

  it('is put back when its rule is removed there, if that is wanted', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('settings/grouping'), {
      storageState: dashboard.owner,
    })
    const rows = page.getByRole('row').filter({ hasText: 'whose title begins with' })
    const remove = async (words: string, putsBack: string | null) => {
      await rows.filter({ hasText: words }).getByRole('button').click()
      const dialog = page.getByRole('dialog')
      if (putsBack !== null) await dialog.getByLabel(putsBack).check()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await rows.filter({ hasText: words }).waitFor({ state: 'detached' })
    }
    await remove('“no stockist”', 'Put back the 1 analysis that it ignored')
    await page.getByText('Rule removed, 1 analysis put back').waitFor()
    await remove('“no stock of”', null)
    await page.getByText('Rule removed', { exact: true }).waitFor()
    await page.goto(`${dashboard.origin}${dashboard.at('analyses')}`)
    await rowsOf(page).filter({ hasText: 'no stockist is known' }).waitFor()
    expect(await rowsOf(page).count()).toBe(2)
    expect(unexpected(complaints)).toEqual([])
  })
})
