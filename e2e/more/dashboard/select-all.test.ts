/** A list of more analyses than one page shows and one request changes, chosen and changed as a whole. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, openDashboard, unexpected } from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed } from '../../support/service/analysed.ts'

const unavailable = needsBrowser()
const LETTERS = [...'abcdefghijklmnopqrst']
/** Two requests and a bit. */
const TYPES = LETTERS.flatMap((first) => LETTERS.slice(0, 11).map((last) => `${first.toUpperCase()}${last}Error`))

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('flooded-shop')
  const { origin, keys, service, projectId } = dashboard
  const nowMs = Date.now()
  const errors = TYPES.map((type, at) =>
    recordAt(nowMs - at * 1_000, `${type}: no`, { level: 'error', error: { type, message: 'no' } }),
  )
  await send(origin, keys, errors)
  await analysed(service, projectId, (found) => found.length === TYPES.length)
})
afterEach(() => dashboard?.leave())

const barOf = (page: Page) => page.getByRole('toolbar', { name: 'Selected analyses' })
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Analyses' }).getByRole('listitem')
const states = async () =>
  (await analysed(dashboard.service, dashboard.projectId, () => true)).map(({ status }) => status)
const count = async (status: string) => (await states()).filter((one) => one === status).length

async function visit() {
  const visited = await dashboard.visit(dashboard.at('analyses?query=Error'), { storageState: dashboard.owner })
  await rowsOf(visited.page).first().waitFor()
  expect(await rowsOf(visited.page).count()).toBe(50)
  return visited
}

describe('a list of more than is shown', () => {
  it('is chosen as a whole, ignored in several requests, and taken back', async () => {
    const { page, complaints } = await visit()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await barOf(page).getByText('50 analyses selected').waitFor()
    await barOf(page).getByText('All 50 shown are selected.').waitFor()
    await barOf(page).getByRole('button', { name: 'Select all 220 that match' }).click()
    await barOf(page).getByText('220 analyses selected').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname)
    })
    await barOf(page).getByRole('button', { name: 'Ignore' }).click()
    const told = page.getByRole('status').filter({ hasText: 'Ignored 220 analyses' })
    await told.waitFor()
    expect(asked.map((path) => path.split('/').at(-1))).toEqual(['changes', 'changes', 'changes'])
    expect(await count('ignored')).toBe(220)
    expect(await barOf(page).count()).toBe(0)
    await told.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
    expect(await count('open')).toBe(220)
    expect(unexpected(complaints)).toEqual([])
  })

  it('is chosen by one key: what is shown, everything, nothing', async () => {
    const { page } = await visit()
    await page.keyboard.press('s')
    await barOf(page).getByText('50 analyses selected').waitFor()
    await page.keyboard.press('s')
    await barOf(page).getByText('220 analyses selected').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rowsOf(page).count()).toBe(100)
    expect(await rowsOf(page).getByRole('checkbox', { checked: true }).count()).toBe(100)
    await rowsOf(page).nth(3).getByRole('checkbox').uncheck()
    await barOf(page).getByText('99 analyses selected').waitFor()
    expect(
      await page.getByRole('checkbox', { name: 'Select all' }).evaluate((box) => box.matches(':indeterminate')),
    ).toBe(true)
    await page.keyboard.press('s')
    await barOf(page).getByText('100 analyses selected').waitFor()
    await page.keyboard.press('s')
    await barOf(page).getByText('220 analyses selected').waitFor()
    await page.keyboard.press('s')
    await barOf(page).waitFor({ state: 'detached' })
  })

  it('says what was done before a request failed, and keeps the rest chosen', async () => {
    const { page } = await visit()
    let changes = 0
    await page.route('**/analyses/changes', (route) => {
      changes += 1
      return changes === 2 ? route.fulfill({ status: 403, json: refusal }) : route.continue()
    })
    const refusal = { error: { code: 'forbidden', message: 'Ask an owner.', retryable: false, fields: [] } }
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await barOf(page).getByText('220 analyses selected').waitFor()
    await page.keyboard.press('e')
    await barOf(page).getByText('Done for 100 of 220; the others are as they were. Ask an owner.').waitFor()
    await barOf(page).getByText('120 analyses selected').waitFor()
    expect(await count('resolved')).toBe(100)
    await page.getByRole('status').filter({ hasText: 'Resolved 100 analyses' }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('status').filter({ hasText: 'Resolved 120 analyses' }).waitFor()
    expect(await count('resolved')).toBe(220)
  })
})
